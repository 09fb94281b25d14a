import { findIntentContract } from "@outbound/testkit/contracts/service/findIntent.js"
import { findIntentProperties } from "@outbound/testkit/contracts/service/findIntentProperties.js"
import { findIntentRolesContract } from "@outbound/testkit/contracts/service/findIntentRoles.js"
import { findIntentSourcesContract } from "@outbound/testkit/contracts/service/findIntentSources.js"
import { service } from "./service.js"

findIntentContract("postgres", service)
findIntentRolesContract("postgres", service)
findIntentSourcesContract("postgres", service)
findIntentProperties("postgres", service, 40)
