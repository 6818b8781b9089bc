/** Arabic messages of the page for analysts. */
import type { analyseMessages as english } from './analyse-en.ts'
import { pluralFor } from './plural.ts'

const plural = pluralFor('ar-OM')

export const analyseMessages: typeof english = {
  analyse: {
    title: 'تحليل',
    lead: 'كم عددًا وكم مبلغًا، حسب الفترة والمجموعة. العنوان هو التحليل: انسخه لتشاركه.',
    question: 'السؤال',
    groupBy: 'المجموعات',
    per: 'الفترة',
    span: 'المدة',
    thisMonth: 'هذا الشهر',
    threeMonths: 'ثلاثة أشهر',
    twelveMonths: 'اثنا عشر شهرًا',
    ever: 'كل ما هنالك',
    ownSpan: 'تواريخ محددة',
    postedBy: 'الشريك (المعرّف)',
    measure: 'المقياس',
    measures: {
      count: 'المعاملات',
      completed: 'المنفَّذة',
      failed: 'الفاشلة',
      rate: 'نسبة الفشل',
      amount: 'المبلغ المنقول',
      points: 'النقاط المنقولة',
    },
    periods: { DAY: 'اليوم', WEEK: 'الأسبوع', MONTH: 'الشهر', ALL: 'المدة كلها' },
    groups: {
      KIND: 'النوع',
      OUTCOME: 'النتيجة',
      PARTNER: 'الشريك',
      MERCHANT: 'التاجر',
      CHANNEL: 'القناة',
      CURRENCY: 'العملة',
      REASON: 'السبب',
    },
    top: 'الأعلى في كل فترة',
    tops: { 5: '٥', 10: '١٠', 20: '٢٠', all: 'الكل' },
    rest: count =>
      plural(count, {
        one: 'مجموعة أخرى',
        two: 'مجموعتان أخريان',
        few: '# مجموعات أخرى',
        other: '# مجموعة أخرى',
      }),
    none: 'غير مذكور',
    table: 'الجدول',
    total: 'المجموع',
    rows: count =>
      plural(count, {
        zero: 'لا صفوف',
        one: 'صف واحد',
        two: 'صفّان',
        few: '# صفوف',
        many: '# صفًا',
        other: '# صف',
      }),
    change: 'التغيّر',
    changeText: 'مقارنة بالفترة السابقة',
    transactionsBehind: 'المعاملات التي وراءه',
  },
}
