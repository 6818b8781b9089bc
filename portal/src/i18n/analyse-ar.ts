/** Arabic messages of the page for analysts. */
import type { analyseMessages as english } from './analyse-en.ts'
import { pluralFor } from './plural.ts'

const plural = pluralFor('ar-OM')

export const analyseMessages: typeof english = {
  spans: {
    title: 'المدة',
    today: 'اليوم',
    thisMonth: 'هذا الشهر',
    lastMonth: 'الشهر الماضي',
    threeMonths: 'ثلاثة أشهر',
    twelveMonths: 'اثنا عشر شهرًا',
    ever: 'كل ما هنالك',
    own: 'تواريخ محددة',
  },
  analyse: {
    title: 'تحليل',
    lead: 'كم عددًا وكم مبلغًا، حسب الفترة والمجموعة. العنوان هو التحليل: انسخه لتشاركه.',
    question: 'السؤال',
    groupBy: 'المجموعات',
    per: 'الفترة',
    postedBy: 'الشريك (المعرّف)',
    measure: 'المقياس',
    measures: {
      count: 'المعاملات',
      completed: 'المنفَّذة',
      failed: 'الفاشلة',
      rate: 'نسبة الفشل',
      amount: 'المبلغ المنقول',
      points: 'النقاط المنقولة',
      average: 'متوسط المبلغ',
      customers: 'العملاء',
      max: 'أكبر مبلغ',
      p50: 'وسيط المبلغ',
      p95: 'المبلغ، ٩٥ من ١٠٠',
      settledP50Ms: 'وسيط مدة التسوية',
      settledP95Ms: 'مدة التسوية، ٩٥ من ١٠٠',
    },
    periods: {
      DAY: 'اليوم',
      WEEK: 'الأسبوع',
      MONTH: 'الشهر',
      QUARTER: 'الربع',
      YEAR: 'السنة',
      HOUR_OF_DAY: 'ساعة اليوم',
      DAY_OF_WEEK: 'يوم الأسبوع',
      ALL: 'المدة كلها',
    },
    groups: {
      KIND: 'النوع',
      OUTCOME: 'النتيجة',
      PARTNER: 'الشريك',
      MERCHANT: 'التاجر',
      CHANNEL: 'القناة',
      CURRENCY: 'العملة',
      REASON: 'السبب',
      CUSTOMER: 'العميل',
      CATEGORY: 'فئة الحساب',
      PRODUCT: 'المنتج',
      PAYMENT_METHOD: 'طريقة الدفع',
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
