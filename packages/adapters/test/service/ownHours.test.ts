import { ownHoursContract } from "@outbound/testkit/contracts/service/ownHours.js"
import { service } from "./service.js"

ownHoursContract("postgres", service)
