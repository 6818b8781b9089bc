/** Generated from schema/ by `npm run codegen`; do not edit. */
export interface paths {
    "/loyaltyredemption/v1/redemptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List redemptions
         * @description Returns the redemptions you posted, oldest first, so that an index always means the same redemption
         *     and new redemptions only ever join at the end. Portal and analyst clients see the redemptions of every
         *     partner.
         *
         *     Without parameters you get the first 50. A start beyond the end is answered with an empty array, not
         *     with an error. Any invalid parameter is answered with 400 OUT_OF_RANGE.
         */
        get: operations["listRedemptions"];
        put?: never;
        /**
         * Post a redemption
         * @description Takes points from the loyalty account of an active mobile number of the operator. It is declined when
         *     the points do not suffice; the account never goes below zero.
         *
         *     The answer comes at once with status `processing`; once you have it, the redemption is kept. If you
         *     supply a webhook, the outcome is sent to `<notificationUrl>/eventNotifications`.
         *
         *     If your access token is bound to a phone number, a request naming another one is refused, and a
         *     request naming none is taken to mean the bound one.
         */
        post: operations["createRedemption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/loyaltyredemption/v1/redemptions/{redemptionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one redemption
         * @description Returns a redemption with its present status. A partner client reads its own redemptions; portal and
         *     analyst clients read every partner's.
         */
        get: operations["getRedemption"];
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
        /** @description A request to post a redemption. */
        CreateRedemption: {
            redemptionTransaction: components["schemas"]["RedemptionTransaction"];
            webhook?: components["schemas"]["Webhook"];
        };
        /** @description The redemption as you describe it - for which number, how many points, and under which of your references. */
        RedemptionTransaction: {
            /**
             * @description Your unique id of this request. Repeat it when you send the request again after a communication failure, so that the redemption is not carried out twice.
             * @example mp-red-20260318-0007
             */
            clientCorrelatorId: string;
            /**
             * @description The number whose points are redeemed, an active mobile number of the operator. E.164 with country code, with or without a leading +; eight digits are read as a national number. It is required unless your access token is bound to a number: then it may be left out, means that number, and is not in what you get back either.
             * @example 96891000001
             */
            mobileNumber?: string;
            /**
             * @description Your own reference of the redemption.
             * @example RED-7-2026
             */
            referenceCode?: string;
            redemptionInformation?: components["schemas"]["RedemptionInformation"];
            redemptionMetaData?: components["schemas"]["RedemptionMetaData"];
        };
        /** @description The points to redeem. A request without it is refused, since there is nothing to post. */
        RedemptionInformation: {
            /**
             * Format: float
             * @description How many points to redeem. Greater than 0, with at most 2 decimals.
             * @example 400
             */
            redemptionPoints: number;
            /** @description What the points are for. */
            description?: string;
            /** @description Further properties of the redemption. */
            characteristicList?: components["schemas"]["Characteristic"][];
        };
        /** @description Circumstances of the redemption - merchant, channel, product. */
        RedemptionMetaData: {
            /** @description Name of the actual merchant when you post on behalf of one. */
            merchantName?: string;
            /** @description Identifier of the actual merchant. */
            merchantIdentifier?: string;
            /** @description Channel through which the customer came, for instance WAP, Web or SMS. */
            channel?: string;
            /** @description Your identifier of the service. */
            serviceId?: string;
            /** @description Together with serviceId identifies the product. */
            productId?: string;
            /** @description Further properties of the circumstances. */
            characteristicList?: components["schemas"]["Characteristic"][];
        };
        /** @description One further property, by name. */
        Characteristic: {
            /**
             * @description Name of the property.
             * @example campaign
             */
            name: string;
            /**
             * @description Data type of the value.
             * @example string
             */
            valueType?: string;
            /**
             * @description The value, as text.
             * @example spring-2026
             */
            value: string;
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
        /**
         * @description Where the redemption stands:
         *     - processing - accepted and under process
         *     - pending - initiated, not yet processed
         *     - success - completed
         *     - failed - an error occurred, or it was rejected
         *     - cancelled - cancelled by user or system before completion
         *     - invalid - incorrect data
         *     - expired - not completed in the required time
         *     - declined - refused, for instance for lack of points
         *     - reversed - taken back after it was processed
         * @enum {string}
         */
        TransactionOperationStatus: "processing" | "pending" | "success" | "failed" | "cancelled" | "invalid" | "expired" | "declined" | "reversed";
        /** @description A redemption with its present status. */
        Redemption: {
            /**
             * @description Id of the redemption, given by us.
             * @example 019d00e3-fe96-736f-8580-28d6099950d8
             */
            redemptionId: string;
            transactionOperationStatus?: components["schemas"]["TransactionOperationStatus"];
            redemptionTransaction: components["schemas"]["RedemptionTransaction"];
            /**
             * Format: date-time
             * @description When the redemption was effectively performed. Absent until it succeeds.
             */
            redemptionDate?: string;
            webhook?: components["schemas"]["Webhook"];
        };
        /** @description The redemption just accepted. It does not repeat what you sent. */
        RedemptionCreated: {
            /**
             * @description Id of the redemption, given by us.
             * @example 019d00e3-fe96-736f-8580-28d6099950d8
             */
            redemptionId: string;
            transactionOperationStatus: components["schemas"]["TransactionOperationStatus"];
            /**
             * Format: date-time
             * @description When the redemption was effectively performed. Absent until it succeeds.
             */
            redemptionDate?: string;
            webhook?: components["schemas"]["Webhook"];
        };
        /** @description What we send to your callback address when a redemption has ended. */
        EventNotification: {
            /** @description Id of the redemption, since each brings one webhook registration along at most. */
            eventSubscriptionid?: string;
            event: components["schemas"]["Event"];
        };
        /** @description One event in the life of a redemption. */
        Event: {
            /**
             * Format: uuid
             * @description Id of the event, the same in every attempt to deliver it. Use it to recognise repeats.
             */
            eventid?: string;
            /**
             * @description PAYMENT_COMPLETED when the redemption went through, PAYMENT_FAILED when it did not.
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
        /** @description Which redemption the event is about, and how it ended. */
        EventDetail: {
            /** @description Id of the redemption. */
            redemptionId: string;
            /** @description The clientCorrelatorId you sent with the redemption. */
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
             * @description When the redemption was effectively performed. Absent when it failed.
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
        /** @description INVALID_ARGUMENT: the body does not fit the schema, there are no points in it, the number is not an active mobile number of the operator, the clientCorrelatorId was used before (then Location names the first redemption), or x-correlator is malformed. */
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
        /** @description PERMISSION_DENIED: your role may not do this. CARRIER_BILLING.PHONE_NUMBER_REQUIRED: no phone number is given and the token is bound to none. CARRIER_BILLING.INVALID_TOKEN_CONTEXT: the phone number is not the one your token is bound to. CARRIER_BILLING.UNAUTHORIZED_AMOUNT: the points are above what you may post at once. CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED: the redemptions of this number in this month would exceed your maximum. */
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
        /** @description NOT_FOUND: there is no such redemption. One that another partner posted looks exactly the same. */
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
        /** @description ALREADY_EXISTS: declared for every create; a redemption always has a clientCorrelatorId, and a repeated one is answered with 400, so it is not answered yet. */
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
         * @description Path of the redemption that already carries this clientCorrelatorId. Sent only when the request was refused for that reason, so that you find the redemption whose answer you lost.
         * @example /loyaltyredemption/v1/redemptions/019d00e3-fe96-736f-8580-28d6099950d8
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
    listRedemptions: {
        parameters: {
            query?: {
                /**
                 * @description Find what was posted under this id, for instance after a lost answer. When it is given, every other parameter is ignored, even an invalid one. A partner gets the one redemption it posted under it, or none; portal and analyst clients get one of each partner that used it. An empty one matches nothing.
                 * @example mp-red-20260318-0007
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
                 * @description How many redemptions to return at most. A page beyond 8 MiB ends early; go on by seek.
                 * @example 50
                 */
                perPage?: number;
                /**
                 * @description Index to go on from, counted from 0. Pass the Content-Last-Key of the previous answer, and no page, to read the next redemptions; this is the way to walk through more than 1000. Combined with page it is added to page * perPage, which is rarely what you want.
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
            /** @description The redemptions found, oldest first; an empty array when there are none */
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
                    "application/json": components["schemas"]["Redemption"][];
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
    createRedemption: {
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
        /** @description The redemption to post. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRedemption"];
            };
        };
        responses: {
            /** @description The redemption is accepted and will be posted */
            201: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedemptionCreated"];
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
    getRedemption: {
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
                 * @description The redemptionId returned when the redemption was posted.
                 * @example 019d00e3-fe96-736f-8580-28d6099950d8
                 */
                redemptionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The redemption */
            200: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redemption"];
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
