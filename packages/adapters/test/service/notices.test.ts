import { noticesContract } from "@outbound/testkit/contracts/service/notices.js"
import { service } from "./service.js"

noticesContract("postgres", service)
