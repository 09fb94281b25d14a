import { asKeyContract } from "@outbound/testkit/contracts/service/asKey.js"
import { service } from "./service.js"

asKeyContract("postgres", service)
