import { telemetryContract } from "@outbound/testkit/contracts/service/telemetry.js"
import { service } from "./service.js"

telemetryContract("postgres", service)
