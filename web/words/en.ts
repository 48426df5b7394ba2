/** The words of the pages in English. The other languages have the same keys and the same {placeholders}. */
export const words = {
  lifetime: {
    label: "If nobody opens it, delete it after",
    own: "Another time…",
    amount: "Delete it after",
    unit: "Unit",
    units: { minutes: "minutes", hours: "hours", days: "days" },
    range: "From {from} to {to}.",
  },
  results: {
    old: "You have changed something since this was made. Run it again for a new result.",
  },
  share: {
    tooLongForGuest: "This is {count} characters. Without an account a secret can have {limit}.",
    tooLongForMember: "This is {count} characters. A secret can have {limit}.",
  },
  unsaved: {
    title: "Leave this page?",
    stay: "Stay here",
    leave: "Leave",
    reasons: {
      secret: "This page has the only copy of the secret. Copy it or save it first.",
      link: "You have not copied the link yet, and it is shown only here.",
      result: "You have not saved the result yet.",
      text: "Your text has not been sent yet.",
      list: "The files in your list have not been merged and saved yet.",
      recoveryCode: "The recovery code is shown only here. Copy it or write it down first.",
      token: "You have not copied the token yet, and it is shown only here.",
    },
  },
};

export type Words = typeof words;
