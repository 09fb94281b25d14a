import { suppressionImportContract } from "../../src/contracts/service/suppressionImport.js"
import { layerMemory } from "../../src/service/Service.js"

suppressionImportContract("memory", layerMemory)
