import { signUpsContract } from "@outbound/testkit/signUp/signUpsContract.js"
import { Layer } from "effect"
import { layer as signUps } from "../../src/postgres/signUp/PgSignUpStore.js"
import { stores } from "../postgres/stores.js"

signUpsContract("postgres", Layer.provideMerge(signUps, stores))
