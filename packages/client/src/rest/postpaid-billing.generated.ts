/** Generated from schema/ by `npm run codegen`; do not edit. */
export interface paths {
    "/postpaid-billing/v1/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments
         * @description Returns the payments you posted, oldest first, so that an index always means the same payment and new
         *     payments only ever join at the end. Portal and analyst clients see the payments of every partner.
         *
         *     Without parameters you get the first 50. A start beyond the end is answered with an empty array, not
         *     with an error. Any invalid parameter is answered with 400 OUT_OF_RANGE.
         */
        get: operations["listPayments"];
        put?: never;
        /**
         * Post a bill payment
         * @description Posts a payment that you collected (cash, credit card or debit card) against a customer account
         *     number, for a GSM postpaid, GSM fax, GSM data or GSM prepaid number, a fixed line or an internet
         *     account. The account must exist, and a phone number, fixed line or internet account you name must
         *     belong to it.
         *
         *     The answer comes at once with status `processing`; once you have it, the payment is kept. If you
         *     supply a webhook, the outcome is sent to `<notificationUrl>/eventNotifications`.
         *
         *     If your access token is bound to a phone number, a request naming another one is refused, and a
         *     request naming none is taken to mean the bound one.
         */
        post: operations["createPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/postpaid-billing/v1/payments/{paymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one payment
         * @description Returns a payment with its present status. A partner client reads its own payments; portal and analyst
         *     clients read every partner's.
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/postpaid-billing/v1/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a customer and the dues
         * @description Finds the customer account behind a phone number, fixed line number, internet account or customer
         *     account number, with the total dues and the account number to pay against. Name at least one; if you
         *     name several, all must lead to the same account. An unknown one is answered with 400.
         *
         *     If your access token is bound to a phone number, you may leave all four out: the bound number is
         *     looked up. Naming another phone number is then refused. Success is answered with 201.
         */
        get: operations["inquireCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A request to post a bill payment. */
        CreateBillPayment: {
            paymentTransaction: components["schemas"]["PaymentTransaction"];
            webhook?: components["schemas"]["Webhook"];
        };
        /** @description The payment as you describe it - for whom, how much, and under which of your references. */
        PaymentTransaction: {
            /**
             * @description Your unique id of this request. Always send one, and repeat it when you send the request again after a communication failure, so that the payment is not applied twice.
             * @example mp-20260315-000481
             */
            clientCorrelatorId?: string;
            /**
             * @description Your own reference of the payment, used in disputes.
             * @example MP-481-2026
             */
            referenceCode: string;
            customerInfo: components["schemas"]["CustomerInfo"];
            paymentInfo: components["schemas"]["PaymentInfo"];
        };
        /** @description Whose bill is paid. */
        CustomerInfo: {
            /**
             * @description The account the payment is posted against. The customer inquiry tells it.
             * @example 100001
             */
            customerAccountNumber: string;
            /**
             * @description The phone number, only when the bill is for a postpaid phone. E.164 with country code, with or without a leading +; eight digits are read as a national number.
             * @example 96891000001
             */
            phoneNumber?: string;
            /**
             * @description The fixed line number, when the bill is for a fixed line. Written like a phone number.
             * @example 96824000003
             */
            fixedlineNumber?: string;
            /**
             * @description The internet account, when the bill is for one.
             * @example muna.home@fiber
             */
            internetAccount?: string;
        };
        /** @description What is paid, and how. */
        PaymentInfo: {
            paymentInformation: components["schemas"]["PaymentInformation"];
            paymentMetaData?: components["schemas"]["PaymentMetaData"];
            /** @description The amount broken down into items. */
            amountDetails?: components["schemas"]["PaymentItem"][];
        };
        /** @description The amount paid. */
        PaymentInformation: {
            /**
             * Format: float
             * @description The amount paid. Greater than 0, at most 12 digits before the decimal point and no more after it than the currency has (OMR: 3).
             * @example 15.25
             */
            amount: number;
            /**
             * @description ISO 4217 code of the amount. It must be one your contract allows; OMR unless agreed otherwise.
             * @example OMR
             */
            currency: string;
            /** @description Text for information and billing. */
            description: string;
            /** @description True when the amount includes VAT; not stated means false. */
            isVatIncluded?: boolean;
            /**
             * Format: float
             * @description The VAT amount, for information.
             */
            vatAmount?: number;
            /** @description True when the amount includes tax; not stated means false. */
            isTaxIncluded?: boolean;
            /**
             * Format: float
             * @description The tax amount you charged, for information.
             */
            taxAmount?: number;
        };
        /** @description One item of the amount paid. */
        PaymentItem: {
            /**
             * Format: float
             * @description The amount of this item. Greater than 0, at most 12 digits before the decimal point and no more after it than the currency has (OMR: 3).
             * @example 15.25
             */
            amount: number;
            /**
             * @description ISO 4217 code of the amount. It must be one your contract allows; OMR unless agreed otherwise.
             * @example OMR
             */
            currency: string;
            /** @description Text for information and billing. */
            description: string;
            /** @description True when the amount includes VAT; not stated means false. */
            isVatIncluded?: boolean;
            /**
             * Format: float
             * @description The VAT amount, for information.
             */
            vatAmount?: number;
            /** @description True when the amount includes tax; not stated means false. */
            isTaxIncluded?: boolean;
            /**
             * Format: float
             * @description The tax amount you charged, for information.
             */
            taxAmount?: number;
        };
        /** @description Circumstances of the payment - merchant, fee, channel, method. */
        PaymentMetaData: {
            /** @description Name of the actual merchant when you post on behalf of one. */
            merchantName?: string;
            /** @description Identifier of the actual merchant. */
            merchantIdentifier?: string;
            /**
             * Format: float
             * @description Percentage of the amount that you receive.
             */
            fee?: number;
            /** @description ISO 4217 code of the currency in which the fee is expressed. */
            currency?: string;
            /** @description Category of the service or product. */
            purchaseCategoryCode?: string;
            /** @description Channel through which the customer came, for instance WAP, Web or SMS. */
            channel?: string;
            /** @description Your identifier of the service. */
            serviceId?: string;
            /** @description Together with serviceId identifies the product. */
            productId?: string;
            /** @description Number of the invoice this belongs to. */
            invoiceNumber?: string;
            /**
             * @description How the customer paid you.
             * @enum {string}
             */
            paymentMethod?: "cash" | "credit_card" | "debit_card";
            creditCardDetails?: components["schemas"]["CreditCardDetails"];
        };
        /** @description The card with which the customer paid you. */
        CreditCardDetails: {
            /**
             * @description The card number, a valid one unless dummy values were agreed with you. It is kept and returned masked: first six and last four digits.
             * @example 411111******1111
             */
            cardNumber: string;
            /** @description Name on the card. A dummy value is allowed when agreed. */
            cardHolderName: string;
            /**
             * @description Brand of the card.
             * @enum {string}
             */
            cardType?: "Visa" | "MasterCard" | "AmericanExpress" | "Discover";
            /**
             * Format: int32
             * @description Month in which the card expires. A dummy value is allowed when agreed.
             * @example 11
             */
            expiryMonth: number;
            /**
             * Format: int32
             * @description Year in which the card expires.
             * @example 2028
             */
            expiryYear: number;
            /** @description Security code of the card. It is never stored, never logged and never returned. */
            cvv?: string;
            /**
             * @description The authorization code the card issuer gave for this transaction.
             * @example 083417
             */
            authorizationCode: string;
        };
        /** @description Where to send the outcome. In answers only the address is shown, and analyst clients do not see it. */
        Webhook: {
            /**
             * @description Base of your callback address; events go to <notificationUrl>/eventNotifications. It must be an https address that is reachable from the public internet, without user name or password in it.
             * @example https://hooks.muscatpay.example/telecom
             */
            notificationUrl: string;
            /** @description The token your callback endpoint expects, printable ASCII; an empty one counts as none. We send it there as a bearer token, keep it encrypted, and never return it. */
            notificationAuthToken?: string;
        };
        /** @description A bill payment with its present status. */
        Payment: {
            /**
             * @description Id of the payment, given by us.
             * @example 019cf02a-eefa-752e-89a7-834df2a74de4
             */
            paymentId: string;
            paymentTransaction: components["schemas"]["PaymentTransaction"];
            /**
             * @description Where the payment stands. It starts as processing and ends as succeeded or denied; reserved and cancelled depend on the operator's charging system.
             * @enum {string}
             */
            transactionOperationStatus?: "processing" | "denied" | "reserved" | "succeeded" | "cancelled";
            /**
             * Format: date-time
             * @description When we recorded the payment.
             * @example 2026-03-15T10:24:31.482+04:00
             */
            paymentCreationDate?: string;
            /**
             * Format: date-time
             * @description When the payment was effectively performed. Absent until it succeeds.
             */
            paymentDate?: string;
            webhook?: components["schemas"]["Webhook"];
        };
        /** @description The payment just accepted; the same fields as Payment. */
        PaymentCreated: {
            /**
             * @description Id of the payment, given by us.
             * @example 019cf02a-eefa-752e-89a7-834df2a74de4
             */
            paymentId: string;
            paymentTransaction: components["schemas"]["PaymentTransaction"];
            /**
             * @description Where the payment stands. It starts as processing and ends as succeeded or denied; reserved and cancelled depend on the operator's charging system.
             * @enum {string}
             */
            transactionOperationStatus?: "processing" | "denied" | "reserved" | "succeeded" | "cancelled";
            /**
             * Format: date-time
             * @description When we recorded the payment.
             * @example 2026-03-15T10:24:31.482+04:00
             */
            paymentCreationDate?: string;
            /**
             * Format: date-time
             * @description When the payment was effectively performed. Absent until it succeeds.
             */
            paymentDate?: string;
            webhook?: components["schemas"]["Webhook"];
        };
        /** @description A customer account and what is due on it. */
        Customer: {
            /** @description Name of the customer. */
            customerName?: string;
            /**
             * @description Status of the contract - ACTIVE, PENDING or NEW.
             * @example ACTIVE
             */
            customerStatus?: string;
            /**
             * @description Kind of contract - 9 GSM postpaid, 11 GSM fax, 12 GSM data, 14 GSM prepaid, 200 and 203 fixed line (PSTN).
             * @example 9
             */
            customerType?: number;
            /**
             * @description The account number to post payments against.
             * @example 100001
             */
            customerAccountNumber?: string;
            /**
             * @description Category of the account, for instance business large, business medium, business small, government, residential, service, special services, roaming test cards, residential staff, test numbers or network support.
             * @example residential
             */
            acctCategory?: string;
            /**
             * @description ACCOUNT IN COLLECTIONS or ACCOUNT NOT IN COLLECTIONS.
             * @example ACCOUNT NOT IN COLLECTIONS
             */
            collectionIndicator?: string;
            /** @description First line of the address. */
            custAddr1?: string;
            /** @description Second line of the address. */
            custAddr2?: string;
            /** @description Third line of the address. */
            custAddr3?: string;
            /**
             * @description Total amount due in Omani Riyals. Below zero when the customer has paid ahead.
             * @example 45.75
             */
            totalDues?: number;
        };
        /** @description What we send to your callback address when a payment has ended. */
        EventNotification: {
            /** @description Id of the payment, since each brings one webhook registration along at most. */
            eventSubscriptionid?: string;
            event: components["schemas"]["Event"];
        };
        /** @description One event in the life of a payment. */
        Event: {
            /**
             * Format: uuid
             * @description Id of the event, the same in every attempt to deliver it. Use it to recognise repeats.
             */
            eventid?: string;
            /**
             * @description PAYMENT_COMPLETED when the payment went through, PAYMENT_FAILED when it did not.
             * @enum {string}
             */
            eventType: "PAYMENT_COMPLETED" | "PAYMENT_FAILED";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            eventTime: string;
            eventDetail: components["schemas"]["EventDetail"];
        };
        /** @description Which payment the event is about, and how it ended. */
        EventDetail: {
            /** @description Id of the payment. */
            paymentId: string;
            /** @description The clientCorrelatorId you sent with the payment. */
            clientCorrelatorId?: string;
            /**
             * @description succeeded comes with PAYMENT_COMPLETED, failed with PAYMENT_FAILED.
             * @enum {string}
             */
            status: "succeeded" | "failed";
            /** @description A sentence about the outcome; on failure it gives the reason. */
            description: string;
            /**
             * Format: date-time
             * @description When the payment was effectively performed. Absent when it failed.
             */
            paymentDate?: string;
        };
        /** @description The body of every answer that is not a success. */
        ErrorInfo: {
            /**
             * @description What went wrong, for your program to act on.
             * @enum {string}
             */
            code: "INVALID_ARGUMENT" | "OUT_OF_RANGE" | "UNAUTHORIZED" | "PERMISSION_DENIED" | "CARRIER_BILLING.PHONE_NUMBER_REQUIRED" | "CARRIER_BILLING.INVALID_TOKEN_CONTEXT" | "CARRIER_BILLING.UNAUTHORIZED_AMOUNT" | "CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED" | "NOT_FOUND" | "ALREADY_EXISTS" | "SERVER_ERROR" | "SERVICE_UNAVAILABLE" | "REQUEST_TIMEOUT_EXCEEDED";
            /**
             * @description The HTTP status of the answer, as text.
             * @example 400
             */
            status: string;
            /** @description What went wrong, for a person to read. When one field is to blame, the text starts with its path. Do not parse it. */
            message: string;
        };
    };
    responses: {
        /** @description INVALID_ARGUMENT: the body does not fit the schema, the currency is unknown or not allowed to you, the account or line is unknown, the clientCorrelatorId was used before (then Location names the first payment), or x-correlator is malformed. */
        InvalidArgument: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                Location: components["headers"]["FirstTransaction"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
        /** @description INVALID_ARGUMENT: x-correlator is malformed. An id that nobody has is 404, whatever it looks like. */
        InvalidHeader: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
        /** @description OUT_OF_RANGE: a list parameter is not an integer, negative, too large, too long, not a date, or fromDate lies after toDate; or x-correlator is malformed. */
        OutOfRange: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
        /** @description INVALID_ARGUMENT: a parameter is not a possible number, is given twice, leads to no customer, or leads to another customer than the rest; or x-correlator is malformed. */
        InvalidInquiry: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
        /** @description UNAUTHORIZED: there is no access token, or it is expired, malformed or not ours. */
        Unauthorized: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
        /** @description PERMISSION_DENIED: your role may not do this. CARRIER_BILLING.INVALID_TOKEN_CONTEXT: the phone number is not the one your token is bound to. CARRIER_BILLING.UNAUTHORIZED_AMOUNT: the amount is above what you may post at once. CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED: the payments of this account in this month would exceed your maximum. */
        Forbidden: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
        /** @description PERMISSION_DENIED: your role may not do this. Clients of all roles may read, so it is not answered yet. */
        ForbiddenRead: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
        /** @description CARRIER_BILLING.PHONE_NUMBER_REQUIRED: none of the four parameters is given and the token is bound to no phone number. CARRIER_BILLING.INVALID_TOKEN_CONTEXT: the phone number is not the one your token is bound to. PERMISSION_DENIED: your role may not do this; clients of all roles may, so it is not answered yet. */
        ForbiddenInquiry: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
        /** @description NOT_FOUND: there is no such payment. One that another partner posted looks exactly the same. */
        NotFound: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
        /** @description ALREADY_EXISTS: a payment without clientCorrelatorId repeats the referenceCode and account of an earlier one of yours. */
        AlreadyExists: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
        /** @description SERVER_ERROR: something failed on our side. Quote the x-correlator of the answer when you report it. */
        ServerError: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
        /** @description SERVICE_UNAVAILABLE: we cannot serve the request now, or you have sent more than you may (RateLimit). Try again after Retry-After. */
        ServiceUnavailable: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
        /** @description REQUEST_TIMEOUT_EXCEEDED: the request took too long and was given up. What it had not finished has been undone; repeating a create with the same clientCorrelatorId is safe. */
        RequestTimeout: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
        /** @description ALREADY_EXISTS: declared for this operation as for the create; reading never causes it. */
        InquiryConflict: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
    };
    parameters: {
        /**
         * @description Your own name for this exchange, 1 to 256 letters, digits and characters of - _ : ; . / < > { }. It comes back with the answer and stands in our logs. Without it, or with an empty one, we make one up; a longer one, or one with any other character, is refused with 400.
         * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
         */
        Correlator: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Names this exchange in our logs; your own x-correlator if you sent one, else a new UUID.
         * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
         */
        Correlator: string;
        /**
         * @description Start index plus the number of results in this answer (the start index alone when it is empty). Pass it as seek to read on.
         * @example 50
         */
        ContentLastKey: number;
        /**
         * @description How many records match the request, over all pages.
         * @example 1250
         */
        TotalCount: number;
        /**
         * @description Path of the payment that already carries this clientCorrelatorId. Sent only when the request was refused for that reason, so that you find the payment whose answer you lost.
         * @example /postpaid-billing/v1/payments/019cf02a-eefa-752e-89a7-834df2a74de4
         */
        FirstTransaction: string;
        /**
         * @description How many requests (q) you may send in so many seconds (w), at one of our processes (draft-ietf-httpapi-ratelimit-headers-09). Absent where a request is refused before it is known to be yours.
         * @example "client";q=20000;w=2
         */
        RateLimitPolicy: string;
        /**
         * @description How many requests are left to you now (r), and in how many seconds there is one if none is (t).
         * @example "client";r=19999;t=0
         */
        RateLimit: string;
        /**
         * @description Number of seconds after which another try makes sense.
         * @example 2
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPayments: {
        parameters: {
            query?: {
                /**
                 * @description Find what was posted under this id, for instance after a lost answer. When it is given, every other parameter is ignored, even an invalid one. A partner gets the one payment it posted under it, or none; portal and analyst clients get one of each partner that used it. An empty one matches nothing.
                 * @example mp-20260315-000481
                 */
                clientCorrelatorId?: string;
                /**
                 * @description First day to include, YYYY-MM-DD. Days are whole days of the creation time in the operator's time zone (Asia/Muscat unless the operator says otherwise).
                 * @example 2026-03-01
                 */
                fromDate?: string;
                /**
                 * @description Last day to include, YYYY-MM-DD; the whole day counts. It must not lie before fromDate.
                 * @example 2026-03-31
                 */
                toDate?: string;
                /**
                 * @description Which page to read, counted from 0. Reading starts at index page * perPage + seek, where a parameter you leave out counts as 0.
                 * @example 0
                 */
                page?: number;
                /**
                 * @description How many payments to return at most. A page beyond 8 MiB ends early; go on by seek.
                 * @example 50
                 */
                perPage?: number;
                /**
                 * @description Index to go on from, counted from 0. Pass the Content-Last-Key of the previous answer, and no page, to read the next payments; this is the way to walk through more than 1000. Combined with page it is added to page * perPage, which is rarely what you want.
                 * @example 50
                 */
                seek?: number;
            };
            header?: {
                /**
                 * @description Your own name for this exchange, 1 to 256 letters, digits and characters of - _ : ; . / < > { }. It comes back with the answer and stands in our logs. Without it, or with an empty one, we make one up; a longer one, or one with any other character, is refused with 400.
                 * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
                 */
                "x-correlator"?: components["parameters"]["Correlator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payments found, oldest first; an empty array when there are none */
            200: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Content-Last-Key": components["headers"]["ContentLastKey"];
                    "X-Total-Count": components["headers"]["TotalCount"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"][];
                };
            };
            400: components["responses"]["OutOfRange"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRead"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    createPayment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this exchange, 1 to 256 letters, digits and characters of - _ : ; . / < > { }. It comes back with the answer and stands in our logs. Without it, or with an empty one, we make one up; a longer one, or one with any other character, is refused with 400.
                 * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
                 */
                "x-correlator"?: components["parameters"]["Correlator"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The payment to post. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBillPayment"];
            };
        };
        responses: {
            /** @description The payment is accepted and will be posted */
            201: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentCreated"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["AlreadyExists"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this exchange, 1 to 256 letters, digits and characters of - _ : ; . / < > { }. It comes back with the answer and stands in our logs. Without it, or with an empty one, we make one up; a longer one, or one with any other character, is refused with 400.
                 * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
                 */
                "x-correlator"?: components["parameters"]["Correlator"];
            };
            path: {
                /**
                 * @description The paymentId returned when the payment was posted.
                 * @example 019cf02a-eefa-752e-89a7-834df2a74de4
                 */
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment */
            200: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["InvalidHeader"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRead"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    inquireCustomer: {
        parameters: {
            query?: {
                /**
                 * @description Phone number of the customer. E.164 with country code, with or without a leading +; eight digits are read as a national number.
                 * @example 96891000003
                 */
                phoneNumber?: string;
                /**
                 * @description Fixed line number of the customer. Written like a phone number.
                 * @example 96824000003
                 */
                fixedlineNumber?: string;
                /**
                 * @description Internet account of the customer.
                 * @example gulf.pearl@fiber
                 */
                internetAccount?: string;
                /**
                 * @description Customer account number.
                 * @example 100003
                 */
                customerAccountNumber?: string;
            };
            header?: {
                /**
                 * @description Your own name for this exchange, 1 to 256 letters, digits and characters of - _ : ; . / < > { }. It comes back with the answer and stands in our logs. Without it, or with an empty one, we make one up; a longer one, or one with any other character, is refused with 400.
                 * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
                 */
                "x-correlator"?: components["parameters"]["Correlator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer found */
            201: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["InvalidInquiry"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInquiry"];
            409: components["responses"]["InquiryConflict"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
}
