// slow
import { expect, test } from "vitest";
import {
  endAnswerDelivery,
  endSecretDelivery,
  repeatAnswer,
  repeatSecret,
  sweepDeliveries,
} from "../../../db/deliveries/contents.ts";
import { answerRequest, collectAnswer } from "../../../db/deliveries/answers.ts";
import { insertRequest, sweepRequests } from "../../../db/requests.ts";
import {
  claimAtOnce,
  claimSecret,
  closeSecret,
  findSecret,
  insertSecret,
  storedBytes,
  sweepSecrets,
} from "../../../db/secrets/secrets.ts";
import { bytes, newSecret } from "../support/fixtures.ts";
import { withDatabases } from "../support/harness.ts";

const right = { verifier: bytes(1), passVerifier: null, now: 1_500 };
const ticketOf = (hash: number) => ({ hash: bytes(hash), sweepAt: 2_100 });

withDatabases("a text that was claimed with a ticket", (db) => {
  const store = async () => {
    const secret = newSecret();
    await insertSecret(db, secret);
    return secret;
  };

  test("goes to exactly one of many, however they claim it, and again to whoever has the ticket", async () => {
    for (let round = 0; round < 10; round++) {
      const { id, sealed } = await store();
      const claims = Array.from({ length: 20 }, async (_, i) => {
        const ticket = i % 4 === 0 ? undefined : ticketOf(i);
        return i % 2 === 0
          ? (await claimAtOnce(db, { id, verifier: bytes(1), now: 1_500, ticket }))?.sealed
          : claimSecret(db, { id, ...right, ticket });
      });
      const answers = await Promise.all(claims);
      const winner = answers.findIndex(Boolean);
      // Who finds the row held by somebody else leaves it on the shorter way.
      if (winner < 0) continue;
      expect(answers.filter(Boolean)).toStrictEqual([sealed]);
      for (let i = 1; i < 20; i++) {
        const again = await repeatSecret(db, { id, ticket: ticketOf(i), now: 1_600 });
        expect(again).toStrictEqual(i === winner && i % 4 !== 0 ? sealed : undefined);
      }
    }
  });

  test("is kept until its time, which each repetition sets anew, and counts as stored until then", async () => {
    const { id, sealed } = await store();
    // Deliveries of the tests before.
    await sweepDeliveries(db, { now: 9_000 });
    expect(await claimSecret(db, { id, ...right, ticket: ticketOf(7) })).toStrictEqual(sealed);
    const before = await storedBytes(db);
    const ticket = { hash: bytes(7), sweepAt: 2_400 };
    expect(await repeatSecret(db, { id, ticket, now: 2_099 })).toStrictEqual(sealed);
    await sweepSecrets(db, { now: 2_399, receiptSeconds: 1_000_000 });
    expect(await sweepDeliveries(db, { now: 2_399 })).toBe(0);
    expect(await repeatSecret(db, { id, ticket, now: 2_400 })).toBeUndefined();
    expect(await sweepDeliveries(db, { now: 2_400 })).toBe(1);
    expect(await storedBytes(db)).toBe(before - sealed.length);
    expect(await findSecret(db, id, 2_400)).toMatchObject({ status: "revealed", closedAt: 1_500 });
  });

  test("is deleted when it was received, and can be neither revoked nor claimed again", async () => {
    const { id } = await store();
    await claimSecret(db, { id, ...right, ticket: ticketOf(7) });
    expect(await closeSecret(db, { id, now: 1_501, status: "revoked" })).toBe(false);
    expect(await claimSecret(db, { id, ...right })).toBeUndefined();
    expect(await repeatSecret(db, { id, ticket: ticketOf(7), now: 1_501 })).toBeDefined();
    await endSecretDelivery(db, id);
    expect(await repeatSecret(db, { id, ticket: ticketOf(7), now: 1_501 })).toBeUndefined();
    expect(await findSecret(db, id, 1_501)).toMatchObject({ status: "revealed" });
  });

  test("ends once when claimed with a ticket and revoked at the same time", async () => {
    for (let i = 0; i < 20; i++) {
      const { id, sealed } = await store();
      const [claimed, isRevoked] = await Promise.all([
        claimSecret(db, { id, ...right, ticket: ticketOf(7) }),
        closeSecret(db, { id, now: 1_500, status: "revoked" }),
      ]);
      expect(claimed === undefined).toBe(isRevoked);
      const again = await repeatSecret(db, { id, ticket: ticketOf(7), now: 1_501 });
      expect(again).toStrictEqual(isRevoked ? undefined : sealed);
    }
  });

  test("stays active when nobody has received an active one", async () => {
    const { id } = await store();
    await endSecretDelivery(db, id);
    expect(await claimSecret(db, { id, ...right })).toBeDefined();
  });
});

withDatabases("an answer that was collected with a ticket", (db) => {
  const REQUEST = {
    ...{ gateHash: bytes(1), collectHash: bytes(2), note: null, owner: null },
    ...{ createdAt: 1_000, expiresAt: 2_000 },
  };
  const answer = async (id: string) => {
    await insertRequest(db, { id, ...REQUEST });
    await answerRequest(db, { id, gateHash: bytes(1), sealed: bytes(4, 60), now: 1_100 });
  };

  test("goes to one of many, and again to whoever has the ticket, until it was received", async () => {
    const id = "ticketed00000001";
    await answer(id);
    const token = { id, collectHash: bytes(2), now: 1_500 };
    const collects = Array.from({ length: 20 }, (_, i) =>
      collectAnswer(db, { ...token, ticket: ticketOf(i) }),
    );
    const answers = await Promise.all(collects);
    expect(answers.filter(Boolean)).toStrictEqual([{ sealed: bytes(4, 60), left: 0 }]);
    const winner = answers.findIndex(Boolean);
    for (let i = 0; i < 20; i++) {
      const again = await repeatAnswer(db, { id, ticket: ticketOf(i), now: 1_600 });
      expect(again).toStrictEqual(i === winner ? bytes(4, 60) : undefined);
    }
    await endAnswerDelivery(db, id, ticketOf(winner).hash);
    expect(await repeatAnswer(db, { id, ticket: ticketOf(winner), now: 1_600 })).toBeUndefined();
  });

  test("outlives the end of its request, and is swept at its time", async () => {
    await sweepDeliveries(db, { now: 9_000 });
    const id = "ticketed00000002";
    await answer(id);
    await collectAnswer(db, { id, collectHash: bytes(2), now: 1_500, ticket: ticketOf(7) });
    await sweepRequests(db, { now: 2_050, receiptSeconds: 1_000_000 });
    expect(await sweepDeliveries(db, { now: 2_099 })).toBe(0);
    expect(await repeatAnswer(db, { id, ticket: ticketOf(7), now: 2_099 })).toStrictEqual(bytes(4, 60));
    expect(await sweepDeliveries(db, { now: 2_100 })).toBe(1);
  });
});
