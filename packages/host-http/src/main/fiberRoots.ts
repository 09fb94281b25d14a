import { Bag } from "@outbound/domain/kernel/Bag.js"
import { Fiber } from "effect"
import { globalValue } from "effect/GlobalValue"

type AnyFiber = Fiber.RuntimeFiber<unknown, unknown>

/** Where Effect notes the fibers that nobody else holds. */
interface GlobalScope {
  roots: Iterable<AnyFiber> & { readonly delete: (fiber: AnyFiber) => boolean }
  add: (flags: unknown, fiber: AnyFiber) => void
}

const NAME = Symbol.for("effect/FiberScope/Global")

/**
 * Lets Effect note its running fibers in a bag. Its `Set` keeps what ended fibers held in memory until a full collection:
 * with a fiber for each call, 8 % of the CPU (decision 0087). This leaves another version of Effect as it is.
 */
export const replaceFiberRoots = (): void => {
  // Effect has made its scope by then, so `null` does not take its place.
  const running = Fiber.unsafeRoots()
  const scope = globalValue<GlobalScope | null>(NAME, () => null)
  if (scope === null || !(scope.roots instanceof Set)) return
  const bag = new Bag<AnyFiber>()
  const add = (fiber: AnyFiber): void => fiber.addObserver(bag.add(fiber))
  for (const fiber of running) add(fiber)
  // Fibers that Effect noted before still delete themselves here when they end.
  scope.roots = { [Symbol.iterator]: () => bag[Symbol.iterator](), delete: () => true }
  scope.add = (_flags, fiber) => add(fiber)
}
