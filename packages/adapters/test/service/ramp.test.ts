import { rampStories } from "@outbound/testkit/contracts/service/rampStories.js"
import { service } from "./service.js"

rampStories("postgres", service)
