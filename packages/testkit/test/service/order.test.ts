import { orderContract } from "../../src/contracts/service/order.js"
import { layerMemory } from "../../src/service/Service.js"

orderContract("memory", layerMemory)
