import { type ClosedGates, Releases } from "@outbound/domain/calls/releases/Releases.js"
import { Layer } from "effect"
import {
  closedPlatformsContract,
  findPostsContract,
  findPostsRequestsContract
} from "../../src/contracts/service/findPosts.js"
import { findPostsProperties } from "../../src/contracts/service/findPostsProperties.js"
import * as MemoryLayer from "../../src/memory/layer.js"
import { quietMemory, over } from "../../src/service/Service.js"

const PAUSED = "the operator has paused it"
const closed: ClosedGates = { "find_posts.profile": PAUSED, "find_posts.reddit": PAUSED }

findPostsContract("memory", quietMemory)
findPostsRequestsContract("memory", quietMemory)
findPostsProperties("memory", quietMemory)
closedPlatformsContract("memory", over(MemoryLayer.layer).pipe(Layer.provide(Layer.succeed(Releases, closed))), PAUSED)
