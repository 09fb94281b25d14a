import { contentBindingContract } from "../../src/contracts/service/contentBinding.js"
import { layerMemory } from "../../src/service/Service.js"

contentBindingContract("memory", layerMemory)
