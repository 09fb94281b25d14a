import { findIntentContract } from "../../src/contracts/service/findIntent.js"
import { findIntentProperties } from "../../src/contracts/service/findIntentProperties.js"
import { findIntentRolesContract } from "../../src/contracts/service/findIntentRoles.js"
import { findIntentSourcesContract } from "../../src/contracts/service/findIntentSources.js"
import { quietMemory } from "../../src/service/Service.js"

findIntentContract("memory", quietMemory)
findIntentRolesContract("memory", quietMemory)
findIntentSourcesContract("memory", quietMemory)
findIntentProperties("memory", quietMemory)
