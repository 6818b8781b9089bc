/** Ways in which a primary is lost, and how each is undone. */
import type { Node, PatroniCluster } from './patroni.ts'

/** A way to lose a primary. */
export interface Loss {
  readonly name: string
  inflict(cluster: PatroniCluster, primary: Node): Promise<void> | void
  undo(cluster: PatroniCluster, primary: Node): Promise<void> | void
}

/** All of them, each of which is tried in turn. */
export const LOSSES: readonly Loss[] = [
  {
    name: 'killed',
    inflict: (_, { machine }) => machine.signal('SIGKILL'),
    undo: (_, primary) => primary.start(),
  },
  {
    name: 'frozen',
    inflict: (_, { machine }) => machine.signal('SIGSTOP'),
    undo: (_, { machine }) => machine.signal('SIGCONT'),
  },
  {
    name: 'cut off from all',
    inflict: (_, { machine }) => machine.cutOff(),
    undo: (_, { machine }) => machine.connect(),
  },
  {
    // Its clients reach it still: it must take nothing of them that the others do not have.
    name: 'cut off from etcd and standbys',
    inflict({ network, nodes }, { machine }) {
      const others = nodes.map(node => node.machine.address).filter(address => address !== machine.address)
      machine.cutOffFrom([network.other, ...others])
    },
    undo: (_, { machine }) => machine.connect(),
  },
  { name: 'switched over', inflict: cluster => cluster.switchOver(), undo: () => undefined },
]
