import { suppressionImportContract } from "../../src/contracts/service/suppressionImport.js"
import { quietMemory } from "../../src/service/Service.js"

suppressionImportContract("memory", quietMemory)
