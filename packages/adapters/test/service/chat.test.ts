import { chatContract } from "@outbound/testkit/contracts/service/chat.js"
import { chatStreamsContract } from "@outbound/testkit/contracts/service/chatStreams.js"
import { service } from "./service.js"

chatContract("postgres", service)
chatStreamsContract("postgres", service)
