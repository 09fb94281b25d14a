import { verifyEmailContract } from "../../src/contracts/service/verifyEmail.js"
import { layerMemory } from "../../src/service/Service.js"

verifyEmailContract("memory", layerMemory)
