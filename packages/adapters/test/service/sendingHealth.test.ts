import { sendingHealthContract } from "@outbound/testkit/contracts/service/sendingHealth.js"
import { service } from "./service.js"

sendingHealthContract("postgres", service)
