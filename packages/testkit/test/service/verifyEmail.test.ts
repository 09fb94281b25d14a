import { verifyEmailContract } from "../../src/contracts/service/verifyEmail.js"
import { quietMemory } from "../../src/service/Service.js"

verifyEmailContract("memory", quietMemory)
