import { keysContract } from "@outbound/testkit/contracts/keys.js"
import { usersContract } from "@outbound/testkit/contracts/users.js"
import { stores } from "./stores.js"

keysContract("postgres", stores)
usersContract("postgres", stores)
