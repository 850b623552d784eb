/** Short and long, several scripts, emoji and line breaks. */
export const sampleTexts: readonly string[] = [
  "Good morning! Is anybody there?",
  "Yes 👋",
  "I'd like to change the address of my order, it still shows the old one.",
  "Sure, one moment please.",
  "¿Podrías enviarme la factura de marzo?",
  "Natürlich, sie ist unterwegs.",
  "مرحبا، هل يمكنك مساعدتي في هذا الطلب من فضلك؟",
  "お世話になっております。配送状況を確認していただけますか。",
  "👍🏽",
  "Here is the link: https://example.com/orders/12345?from=chat",
  "First line\nsecond line\n\nand a third one after a gap",
  "Спасибо, всё работает!",
  "תודה רבה, אחכה לתשובה",
  "That's odd. It worked yesterday, and nothing has changed since then as far as I can tell. "
    .repeat(6)
    .trim(),
  "🎉🎉🎉",
  "See you at 5 🕔, same place?",
];
