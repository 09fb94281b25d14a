/** Given names and what people who have them are usually called, written down by us. */
const GROUPS = `
alexander alex sasha
alexandra alex sandra
andrew andy drew
anthony tony
antonio toni
barbara barb
benjamin ben
catherine kate cathy
katherine kate kathy
charles charlie chuck
christian chris
christina chris tina
christine chris tina
christopher chris
daniel dan danny
david dave
deborah deb debbie
donald don
dorothea dorothy thea
edward ed eddie
elizabeth liz beth
elisabeth lisa elli
francis frank
franz francis
frederick fred
friedrich fritz
gabriel gabe
gabriele gabi
geoffrey geoff
gregory greg
henry harry
isabella bella
jacob jake
james jim jamie
jennifer jen jenny
jeffrey jeff
jessica jess
johannes hannes jo
john jack johnny
jonathan jon
joseph joe
josef sepp
joshua josh
kenneth ken
kimberly kim
lawrence larry
leonard leo len
margaret maggie meg
margarete greta
martin marty
matthew matt
matthias matze
maximilian max
michael mike micha
michelle shelly
mikhail misha
nathaniel nate nathan
nicholas nick
nicolas nico
nikolaus niko klaus
pamela pam
patricia pat trish
patrick pat
peter pete
philip phil
philipp phil
raymond ray
rebecca becky
richard rick dick
robert rob bob
ronald ron
samantha sam
samuel sam
sebastian seb basti
stephanie steph
stephen steve
steven steve
susan sue
theodore ted theo
thomas tom
timothy tim
valentina vale
victoria vicky
vincent vince
vladimir vova
walter walt
wilhelm willi
william bill will
zachary zach
`

/** Both ways: by the full name, and by what they are called. */
export const NICKNAMES: ReadonlyMap<string, ReadonlyArray<string>> = (() => {
  const names = new Map<string, Set<string>>()
  const add = (name: string, other: string) => names.set(name, (names.get(name) ?? new Set()).add(other))
  for (const line of GROUPS.trim().split("\n")) {
    const [full = "", ...short] = line.split(" ")
    for (const one of short) {
      add(full, one)
      add(one, full)
    }
  }
  return new Map([...names].map(([name, others]) => [name, [...others]]))
})()
