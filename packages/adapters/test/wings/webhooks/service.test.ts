import { webhookServiceContract } from "@outbound/testkit/wings/webhooks/serviceContract.js"
import { service } from "../../service/service.js"

webhookServiceContract("postgres", service)
