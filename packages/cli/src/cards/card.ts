/** Cards by their names: `gpu:K`, a card that a process sees alone. */
import { RadarError } from "@dechirp/core";
import { argumentError } from "../errors.ts";
import { type Card, listCards } from "./list.ts";

/** Matches the name of a card. */
const cardName = /^gpu:\d{1,4}$/;

/** Whether a device's name is that of a card. */
export const isCardName = (name: string): boolean => cardName.test(name);

/** A card and the cards that WebGPU can't tell from it. */
export interface CardOfHost {
  readonly card: Card & { readonly name: string };
  /** Usable cards that must be hidden from the process that is to use `card`. */
  readonly rivals: readonly Card[];
}

/** Finds a card by its name. Throws `argument` if there is none, or if it is not usable. */
export function cardOf(name: string, cards: readonly Card[] = listCards(), option = "--device"): CardOfHost {
  const found = cards.find((card) => card.name === name);
  if (found?.name === undefined) {
    const there = cards.map((card) => `${card.name ?? "not available"} (${cardText(card)}${card.isUsable ? "" : `: ${card.why}`})`);
    throw argumentError(
      option,
      there.length > 0 ? `one of the cards ${there.join(", ")}` : "gpu: no cards are listed on this machine",
      name,
    );
  }
  if (!found.isUsable) throw new RadarError("no-backend", `${option} ${name}: ${cardText(found)}: ${found.why}`, { option, card: name });
  return {
    card: { ...found, name: found.name },
    rivals: cards.filter((other) => other !== found && other.isUsable && mayBeTaken(found, other)),
  };
}

/** Whether WebGPU may open `other` where `card` is asked for: the vendor tells them apart, if it is known. */
const mayBeTaken = (card: Card, other: Card): boolean =>
  card.vendor === undefined || other.vendor === undefined || card.vendor === other.vendor;

/** Model and place of a card. */
export const cardText = ({ model, pci, file }: Card): string => `${model}, ${pci ?? file}`;

/**
 * The card of this process: the only one that it can open, of those that WebGPU can't tell from it. Throws `argument` as `cardOf` does, and
 * `no-backend` if it can open others, too.
 */
export function ownCard(name: string, cards?: readonly Card[]): Card {
  const { card, rivals } = cardOf(name, cards);
  if (rivals.length === 0) return card;
  const message = `--device ${name}: this process sees ${rivals.map(cardText).join("; ")}, too, and WebGPU can't tell them apart`;
  throw new RadarError("no-backend", message, { option: "--device", card: name, rivals: rivals.map(cardText) });
}
