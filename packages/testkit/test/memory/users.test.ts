import { usersContract } from "../../src/contracts/users.js"
import { layer } from "../../src/memory/layer.js"

usersContract("memory", layer)
