import { variantsContract } from "@outbound/testkit/contracts/service/variants.js"
import { service } from "./service.js"

variantsContract("postgres", service)
