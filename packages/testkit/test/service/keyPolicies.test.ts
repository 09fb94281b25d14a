import { keyPoliciesContract } from "../../src/contracts/service/keyPolicies.js"
import { layerMemory } from "../../src/service/Service.js"

keyPoliciesContract("memory", layerMemory)
