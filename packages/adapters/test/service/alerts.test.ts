import { alertsContract } from "@outbound/testkit/contracts/service/alerts.js"
import { service } from "./service.js"

alertsContract("postgres", service)
