import type { TrustWords } from "../en/trust.ts";
import type { Translation } from "../translation.ts";

/** What says why the service can be trusted, in Japanese. */
export const trust: Translation<TrustWords> = {
  trust: {
    title: "ここで暗号化し、1 回だけ開ける",
    verifiable: "どのリリースも 1 バイトずつ確かめられます。",
    journey: {
      sealed: {
        title: "ここで暗号化",
        text: "ブラウザーの外に出る前に暗号化します。サーバーが鍵を持つことはありません。",
      },
      sent: {
        title: "リンクで送る",
        text: "ページを読み込んでも、チャットのプレビューでも、開かれることはありません。",
      },
      opened: {
        title: "1 回だけ開く",
        text: "最初にリンクを手にした人が開きます。その後は削除され、あなたにもわかります。",
      },
    },
  },
};
