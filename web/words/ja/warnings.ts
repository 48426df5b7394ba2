import type { WarningCode } from "../../../wire/tool-warning.ts";
import type { Translation } from "../translation.ts";

/** What the tools lost or ignored, in Japanese, by the code of the warning. */
export const warnings: Translation<Readonly<Record<WarningCode, string>>> = {
  xref_rebuilt: "文書が壊れていたため、修復しました。",
  objects_found: "文書が壊れていたため、足りない部分を探して見つけました。",
  objects_lost: "文書が壊れています。一部が失われている可能性があります。",
  pages_lost: "文書が壊れています。一部のページがありません。",
  pages_found: "文書が壊れています。ページは探して見つけましたが、順序が異なる可能性があります。",
  damage_left: "文書が壊れています。そのままにしました。",
  content_unreadable: "一部のページが壊れています。除いたページの一部が結果に含まれる可能性があります。",
  signatures_broken: "電子署名は無効になりました。",
  certification_broken: "文書の証明は無効になりました。",
  usage_rights_broken: "文書が Adobe Reader に与える追加の権限は無効になりました。",
  xfa_left_out: "XML フォーム（XFA）は除かれました。通常のフォーム項目は残ります。",
  threads_left_out: "記事スレッドは除かれました。",
  portfolio_left_out: "文書はポートフォリオでした。結果は通常の文書です。",
  media_left_out: "スクリプトでしか再生できないメディアは除かれました。",
  attachments_left_out: "個々のファイルから添付ファイルは除かれました。",
  scripts_left_out: "個々のファイルからスクリプトは除かれました。",
  parts_too_large: "1 ページだけで指定より大きいファイル：{files} 個",
  tags_left_out: "別の文書のものと矛盾するため、アクセシビリティタグは除かれました。",
  tags_not_repeated: "繰り返し使われるページには、最初の 1 回だけアクセシビリティタグが付きます。",
  language_left_out: "文書に設定された言語は除かれました。",
  fields_renamed:
    "別のファイルに同じ名前の項目があるため、フォーム項目の名前を変えました。スクリプトは元の名前を使い続けます。",
  fields_not_drawn: "一部のフォームフィールドには値がありますが、表示するものがないため、何も残りません。",
  standard_lost: "結果は規格の {clause} 節を満たさないため、{standard} であるという表示を外しました。",
  standard_unchecked: "文書は {standard} であると示しています。結果については構造だけを確認しました。",
  standard_not_shared:
    "このファイルに {standard} であるという表示がないため、結果からもその表示を外しました。",
  images_too_large: "大きすぎて小さくできず、そのまま残した画像：{images}",
  image_damaged: "画像が壊れています。一部が欠けている可能性があります。",
  first_frame_only: "結果に含まれるのは {frames} フレーム中の最初の 1 つだけです。WebP ではすべて残ります。",
  first_frame_in_browser:
    "結果に含まれるのは {frames} フレーム中の最初の 1 つだけです。サーバー上ではすべて残ります。",
  first_picture_only: "結果に含まれるのはファイルの最初の画像だけです。",
  depth_reduced: "各チャンネルの 16 ビットは 8 ビットになりました。",
  gain_map_left_out: "HDR 画面用のゲインマップは結果に含まれません。",
  image_metadata_kept:
    "画像には場所や日時などのメタデータが残ります。「PDF をクリーンアップ」で取り除けます。",
  only_normalization_differs:
    "違いは文字の Unicode 正規化（NFC と NFD など）だけなので、テキストは同じに見えます。",
  unknown_parameter: "不明なオプション「{parameter}」は無視されました。",
  more_unknown_parameters: "ほかの不明なオプションも無視されました。",
  more_files_ignored: "最初のファイルだけを読み取りました。ほかは無視されました。",
  body_stored_as_is: "テキストは送られたまま保存されました。",
};
