import { callStoriesContract } from "@outbound/testkit/contracts/service/callStories.js"
import { service } from "./service.js"

callStoriesContract("postgres", service)
