import type { FileWords } from "../en/files.ts";
import type { Translation } from "../translation.ts";

/** What is said of files on all pages, in Japanese. */
export const files: Translation<FileWords> = {
  files: {
    pdf: "PDF ",
    pdfs: "PDF ",
    pages: "PDF または画像",
    morePages: "ほかの PDF または画像",
    images: "画像",
    any: "ファイル",
    anyMore: "別のファイル",
    several: "ファイル",
    drop: "{what}をここにドロップするか貼り付け、または",
    choose: "{what}を選択",
    add: "{what}を追加",
    dropHint: "「サーバー上」を選ばない限り、何もアップロードされません。",
    refused: {
      pdf: "PDF ではないため追加しませんでした：{names}",
      image: "ここで読み込める画像ではないため追加しませんでした：{names}",
      page: "PDF でもここで読み込める画像でもないため追加しませんでした：{names}",
      text: "テキストではないため除外しました：{names}",
    },
    chooseOther: "別のファイルを選択",
    onlyOne: "このページで扱えるのは一度に 1 ファイルのため、除外しました：{names}",
    folders: "フォルダーは扱えません。中のファイルを選んでください：{names}",
    unreadable: "見つからないか、読み取れません：{names}",
    where: "処理する場所",
    places: { here: "このブラウザー", server: "サーバー上" },
    placeHints: {
      here: "何もこの端末を離れません。",
      server: "サーバーに送られます。サーバーは処理中だけメモリーに置き、保存しません。",
    },
    old: "その後に変更がありました。新しい結果を得るには、もう一度実行してください。",
    next: "続けて使う：",
    suggest: "パスワードを提案",
    openLocked: "ロックされたファイルを開く",
    saveOne: "{name} を保存",
    saveAll: "すべて保存",
    undo: "ファイルに戻る",
    chosen: "選択したファイル",
    sendOnce: "一度だけ送る",
  },
  received: {
    lead: "これで何をしますか？ まだ何も送信されていません。",
    nothingTitle: "何も届いていません",
    nothing:
      "ブラウザーから何も渡されませんでした。もう一度共有するか、ページを選んでそこでファイルを渡してください。",
  },
  order: {
    moved: "{name} は {count} 個中 {number} 番目になりました",
    up: "{name} を上へ",
    down: "{name} を下へ",
    remove: "{name} を除く",
  },
};
