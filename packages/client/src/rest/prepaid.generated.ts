/** Generated from schema/ by `npm run codegen`; do not edit. */
export interface paths {
    "/prepaid/v1/recharges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recharges
         * @description Returns the recharges you posted, oldest first, so that an index always means the same recharge and
         *     new recharges only ever join at the end. Portal and analyst clients see the recharges of every
         *     partner.
         *
         *     Without parameters you get the first 50. A start beyond the end is answered with an empty array, not
         *     with an error. Any invalid parameter is answered with 400 OUT_OF_RANGE.
         */
        get: operations["listRecharges"];
        put?: never;
        /**
         * Post a recharge
         * @description Adds an amount that you collected (cash, credit card or debit card) to the main balance of an active
         *     prepaid mobile number.
         *
         *     The amount may stand in `rechargeInfo.rechargeInformation` or directly in `rechargeInfo`; you get back
         *     the form you sent. A request without an amount, or with two that differ, is refused.
         *
         *     The answer comes at once with status `processing`; once you have it, the recharge is kept. If you
         *     supply a webhook, the outcome is sent to `<notificationUrl>/eventNotifications`.
         *
         *     If your access token is bound to a phone number, a request naming another one is refused, and a
         *     request naming none is taken to mean the bound one.
         */
        post: operations["createRecharge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/prepaid/v1/recharges/{rechargeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one recharge
         * @description Returns a recharge with its present status. A partner client reads its own recharges; portal and
         *     analyst clients read every partner's.
         */
        get: operations["getRecharge"];
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
        /** @description A request to post a recharge. */
        CreateRecharge: {
            rechargeTransaction: components["schemas"]["RechargeTransaction"];
            webhook?: components["schemas"]["Webhook"];
        };
        /** @description The recharge as you describe it - for which number, how much, and under which of your references. */
        RechargeTransaction: {
            /**
             * @description Your unique id of this request. Repeat it when you send the request again after a communication failure, so that the balance is not recharged twice.
             * @example mp-rc-20260316-0093
             */
            clientCorrelatorId: string;
            /**
             * @description Your own reference of the recharge.
             * @example RC-93-2026
             */
            referenceCode: string;
            /**
             * @description The number to recharge, an active prepaid one. E.164 with country code, with or without a leading +; eight digits are read as a national number. It may stand in rechargeInfo.mobileNumber instead. One of the two is required unless your access token is bound to a number: then both may be left out, mean that number, and are not in what you get back either.
             * @example 96892000001
             */
            mobileNumber?: string;
            rechargeInfo?: components["schemas"]["RechargeInfo"];
        };
        /** @description What is recharged, and how. The amount stands either in rechargeInformation or, in the flat form, in the fields of the same names beside it. One of the two is needed; if you give both, they must say the same. */
        RechargeInfo: {
            rechargeInformation?: components["schemas"]["RechargeInformation"];
            rechargeMetaData?: components["schemas"]["RechargeMetaData"];
            /** @description The amount broken down into items. */
            amountDetails?: components["schemas"]["RechargeItem"][];
            /** @description The number to recharge where the transaction's own mobileNumber is left out. If you give both, they must be the same number. */
            mobileNumber?: {
                /**
                 * @description The number in E.164 with country code, with or without a leading +.
                 * @example +96892000001
                 */
                mobileNumber?: string;
            };
            /**
             * Format: float
             * @description The flat form of rechargeInformation.amount. Greater than 0, at most 12 digits before the decimal point and no more after it than the currency has (OMR: 3).
             * @example 15.25
             */
            amount?: number;
            /**
             * @description The flat form of rechargeInformation.currency, an ISO 4217 code. It must be one your contract allows; OMR unless agreed otherwise.
             * @example OMR
             */
            currency?: string;
            /** @description The flat form of rechargeInformation.description. */
            description?: string;
            /** @description The flat form of rechargeInformation.isVatIncluded; not stated means false. */
            isVatIncluded?: boolean;
            /**
             * Format: float
             * @description The flat form of rechargeInformation.vatAmount.
             */
            vatAmount?: number;
            /** @description The flat form of rechargeInformation.isTaxIncluded; not stated means false. */
            isTaxIncluded?: boolean;
            /**
             * Format: float
             * @description The flat form of rechargeInformation.taxAmount.
             */
            taxAmount?: number;
        };
        /** @description The amount to recharge. */
        RechargeInformation: {
            /**
             * Format: float
             * @description The amount to recharge. Greater than 0, at most 12 digits before the decimal point and no more after it than the currency has (OMR: 3).
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
        /** @description One item of the amount to recharge. */
        RechargeItem: {
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
        /** @description Circumstances of the recharge - merchant, fee, channel, method. */
        RechargeMetaData: {
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
            cardNumber?: string;
            /** @description Name on the card. A dummy value is allowed when agreed. */
            cardHolderName?: string;
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
            expiryMonth?: number;
            /**
             * Format: int32
             * @description Year in which the card expires.
             * @example 2028
             */
            expiryYear?: number;
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
        /** @description A recharge with its present status. */
        Recharge: {
            /**
             * @description Id of the recharge, given by us.
             * @example 019cf6f7-8b8f-752e-89a7-834df2a74de4
             */
            rechargeId: string;
            rechargeTransaction: components["schemas"]["RechargeTransaction"];
            /**
             * @description Where the recharge stands. It starts as processing and ends as succeeded, denied (refused) or failed (could not be carried out).
             * @enum {string}
             */
            transactionOperationStatus?: "processing" | "denied" | "succeeded" | "failed";
            /**
             * Format: date-time
             * @description When we recorded the recharge.
             * @example 2026-03-16T18:05:44.207+04:00
             */
            rechargeCreationDate?: string;
            /**
             * Format: date-time
             * @description When the recharge was effectively performed. Absent until it succeeds.
             */
            rechargeDate?: string;
            webhook?: components["schemas"]["Webhook"];
        };
        /** @description The recharge just accepted; the same fields as Recharge. */
        RechargeCreated: {
            /**
             * @description Id of the recharge, given by us.
             * @example 019cf6f7-8b8f-752e-89a7-834df2a74de4
             */
            rechargeId: string;
            rechargeTransaction: components["schemas"]["RechargeTransaction"];
            /**
             * @description Where the recharge stands. It starts as processing and ends as succeeded, denied (refused) or failed (could not be carried out).
             * @enum {string}
             */
            transactionOperationStatus?: "processing" | "denied" | "succeeded" | "failed";
            /**
             * Format: date-time
             * @description When we recorded the recharge.
             * @example 2026-03-16T18:05:44.207+04:00
             */
            rechargeCreationDate?: string;
            /**
             * Format: date-time
             * @description When the recharge was effectively performed. Absent until it succeeds.
             */
            rechargeDate?: string;
            webhook?: components["schemas"]["Webhook"];
        };
        /** @description What we send to your callback address when a recharge has ended. */
        EventNotification: {
            /** @description Id of the recharge, since each brings one webhook registration along at most. */
            eventSubscriptionid?: string;
            event: components["schemas"]["Event"];
        };
        /** @description One event in the life of a recharge. */
        Event: {
            /**
             * Format: uuid
             * @description Id of the event, the same in every attempt to deliver it. Use it to recognise repeats.
             */
            eventid?: string;
            /**
             * @description PAYMENT_COMPLETED when the recharge went through, PAYMENT_FAILED when it did not.
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
        /** @description Which recharge the event is about, and how it ended. */
        EventDetail: {
            /** @description Id of the recharge. */
            rechargeId: string;
            /** @description The clientCorrelatorId you sent with the recharge. */
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
             * @description When the recharge was effectively performed. Absent when it failed.
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
        /** @description INVALID_ARGUMENT: the body does not fit the schema, the currency is unknown or not allowed to you, the number is not an active prepaid number, the clientCorrelatorId was used before (then Location names the first recharge), or x-correlator is malformed. */
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
        /** @description PERMISSION_DENIED: your role may not do this. CARRIER_BILLING.PHONE_NUMBER_REQUIRED: no phone number is given and the token is bound to none. CARRIER_BILLING.INVALID_TOKEN_CONTEXT: the phone number is not the one your token is bound to. CARRIER_BILLING.UNAUTHORIZED_AMOUNT: the amount is above what you may post at once. CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED: the recharges of this number in this month would exceed your maximum. */
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
        /** @description NOT_FOUND: there is no such recharge. One that another partner posted looks exactly the same. */
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
        /** @description ALREADY_EXISTS: declared for every create; a recharge always has a clientCorrelatorId, and a repeated one is answered with 400, so it is not answered yet. */
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
         * @description Path of the recharge that already carries this clientCorrelatorId. Sent only when the request was refused for that reason, so that you find the recharge whose answer you lost.
         * @example /prepaid/v1/recharges/019cf6f7-8b8f-752e-89a7-834df2a74de4
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
    listRecharges: {
        parameters: {
            query?: {
                /**
                 * @description Find what was posted under this id, for instance after a lost answer. When it is given, every other parameter is ignored, even an invalid one. A partner gets the one recharge it posted under it, or none; portal and analyst clients get one of each partner that used it. An empty one matches nothing.
                 * @example mp-rc-20260316-0093
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
                 * @description How many recharges to return at most. A page beyond 8 MiB ends early; go on by seek.
                 * @example 50
                 */
                perPage?: number;
                /**
                 * @description Index to go on from, counted from 0. Pass the Content-Last-Key of the previous answer, and no page, to read the next recharges; this is the way to walk through more than 1000. Combined with page it is added to page * perPage, which is rarely what you want.
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
            /** @description The recharges found, oldest first; an empty array when there are none */
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
                    "application/json": components["schemas"]["Recharge"][];
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
    createRecharge: {
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
        /** @description The recharge to post. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRecharge"];
            };
        };
        responses: {
            /** @description The recharge is accepted and will be posted */
            201: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RechargeCreated"];
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
    getRecharge: {
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
                 * @description The rechargeId returned when the recharge was posted.
                 * @example 019cf6f7-8b8f-752e-89a7-834df2a74de4
                 */
                rechargeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recharge */
            200: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recharge"];
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
}
