import { authenticationContract } from "@outbound/testkit/contracts/service/authentication.js"
import { service } from "./service.js"

authenticationContract("postgres", service)
