import { keyPoliciesContract } from "../../src/contracts/service/keyPolicies.js"
import { quietMemory } from "../../src/service/Service.js"

keyPoliciesContract("memory", quietMemory)
