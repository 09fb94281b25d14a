import { quietMemory } from "../../../src/service/Service.js"
import { linkHostsContract } from "../../../src/wings/linkHosts/contract.js"

linkHostsContract("memory", quietMemory)
