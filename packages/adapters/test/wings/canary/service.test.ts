import { canaryContract } from "@outbound/testkit/wings/canary/contract.js"
import { service } from "../../service/service.js"

canaryContract("postgres", service)
