/** How many of so many people are kept from being written to. At least one is written to. */
export const heldOutOf = (people: number, percent: number): number =>
  Math.max(0, Math.min(people - 1, Math.round((people * percent) / 100)))

/**
 * Draws who is not written to. The same seed and the same people give the same draw, so that anybody who has the trail can
 * repeat it; the seed is made when the launch executes, after the people were shown.
 */
export const drawHoldout = <Lead extends { readonly campaignLeadId: string }>(
  leads: ReadonlyArray<Lead>,
  percent: number,
  seed: string,
  sha256: (text: string) => string
): { readonly written: ReadonlyArray<Lead>; readonly heldOut: ReadonlyArray<Lead> } => {
  const drawn = leads
    .map((lead) => ({ lead, lot: sha256(`${seed} ${lead.campaignLeadId}`) }))
    .toSorted((one, other) => (one.lot < other.lot ? -1 : 1))
    .slice(0, heldOutOf(leads.length, percent))
  const held = new Set(drawn.map(({ lead }) => lead.campaignLeadId))
  return {
    written: leads.filter(({ campaignLeadId }) => !held.has(campaignLeadId)),
    heldOut: leads.filter(({ campaignLeadId }) => held.has(campaignLeadId))
  }
}
