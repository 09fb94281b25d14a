import { listsContract } from "@outbound/testkit/contracts/service/lists.js"
import { service } from "./service.js"

listsContract("postgres", service)
