import { ownFailuresContract } from "@outbound/testkit/contracts/service/ownFailures.js"
import { service } from "./service.js"

ownFailuresContract("postgres", service)
