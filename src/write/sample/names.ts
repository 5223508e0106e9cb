import { itemAt } from '../../base/values/item-at.ts'

const words = [
  'able bold brave bright brisk calm clean clever cool crisp cuddly curly daring dizzy early eager fancy fast fit fresh ' +
    'furry gentle glad golden great handsome happy hidden high hot icy jolly joyful keen kind large late little long lucky ' +
    'macho main merry mini modern narrow noisy old plain proud quaint quick rapid rough round salty sharp shiny silly slow ' +
    'smooth spicy steep swift',
  'aegean amber apricot ash azure banana beige black blonde blue blush bone brick bronze brown burgundy candy carbon ' +
    'charcoal cherry cider cinnamon cobalt coconut coffee concrete coral cotton cream crimson cyan denim emerald felt flaxen ' +
    'foggy fuchsia ginger glossy grape green grey hazel hickory honey indigo infrared iron ivory jade khaki lace lavender ' +
    'lead lemon licorice lilac lime linen mahogany mango maroon mauve mercurial',
  'albatross alligator alpaca ant antelope ape badger barbel bat bear beaver bee bird bison boa bobcat buffalo butterfly ' +
    'camel capybara caribou cat cheetah chicken chimpanzee cobra condor copperhead corgi cottonmouth cow coyote crab crane ' +
    'cricket crocodile crow deer dog dolphin donkey dove dragon duck eagle eel elephant elk falcon ferret finch fish fox ' +
    'frog gazelle gecko gerbil giraffe goat goose gorilla gull hare hawk',
].map((list) => list.split(' '))

/** Returns the three words of a hotspot's name by its index, out of a quarter of a million names. */
export function nameWords(index: number): readonly string[] {
  const count = words.reduce((product, list) => product * list.length, 1)
  let rest = (index * 104_729) % count
  return words.map((list) => {
    const word = itemAt(list, rest % list.length)
    rest = Math.floor(rest / list.length)
    return word
  })
}
