import { stopRefusingContract } from "../../src/contracts/service/stopRefusing.js"
import { quietMemory } from "../../src/service/Service.js"

stopRefusingContract("memory", quietMemory)
