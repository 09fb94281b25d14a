import { quietMemory } from "../../../src/service/Service.js"
import { postmasterContract } from "../../../src/wings/postmaster/contract.js"

postmasterContract("memory", quietMemory)
