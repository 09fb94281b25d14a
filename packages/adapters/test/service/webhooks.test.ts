import { webhookServiceContract } from "@outbound/testkit/contracts/service/webhooks.js"
import { service } from "./service.js"

webhookServiceContract("postgres", service)
