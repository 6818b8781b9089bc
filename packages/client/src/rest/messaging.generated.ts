/** Generated from schema/ by `npm run codegen`; do not edit. */
export interface paths {
    "/v1/unified-messaging/send-single": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one SMS
         * @description Sends one text to one recipient. The answer comes at once with status `accepted`; once you have it,
         *     the message is kept. It tells in how many parts the text travels, and each part may cost one credit: a
         *     part holds 160 characters of the GSM alphabet (153 when there are several; a few, such as the euro
         *     sign, count twice), or 70 (67) as soon as the text contains any other character.
         *
         *     You may supply a webhook, but delivery reports are not implemented yet and it is not called.
         */
        post: operations["sendSms"];
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
        /** @description A request to send one SMS. */
        CreateSendSingleSms: {
            /**
             * @description Your unique id of this request. Repeat it when you send the request again after a communication failure; a repeated one is refused, so that the message is not sent twice.
             * @example otp-20260317-0042
             */
            clientCorrelatorId: string;
            webhook?: components["schemas"]["Webhook"];
            /** @description Id of the message. We make our own; a value you supply is ignored. */
            messageId?: string;
            /**
             * @description Short code or sender name that the recipient sees.
             * @example MuscatPay
             */
            sender: string;
            /**
             * @description The recipient's phone number in E.164 with country code, digits only, without a leading +.
             * @example 96891000001
             */
            recipient: string;
            /** @description The text. */
            smsText: string;
            /**
             * Format: date-time
             * @description After this time we no longer try to deliver. It must not lie in the past. Without it the message expires 24 hours after sending.
             * @example 2026-03-17T21:00:00.000+04:00
             */
            expiryTime?: string;
            /** @description Ask for a delivery report; not stated means false. Not implemented yet, so it has no effect. */
            enableDeliveryReport?: boolean;
            /** @description True to show the text on the screen at once, as a flash SMS; not stated means false. */
            flashMessage?: boolean;
            /**
             * @description How urgent the message is; 1 is the most urgent, and not stated means 10. We may ignore it.
             * @enum {number}
             */
            priority?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10;
        };
        /** @description The message just accepted. */
        CreatedSendSingleSms: {
            /**
             * @description Id of the message, given by us. Quote it to ask about the message.
             * @example 019cfa35-8f96-752e-89a7-834df2a74de4
             */
            otlTransactionId: string;
            /**
             * @description Where the message stands. It is accepted at first.
             * @enum {string}
             */
            transactionOperationStatus: "accepted" | "sent" | "expired" | "failed" | "error";
            /**
             * @description How many messages the request held.
             * @example 1
             */
            smsCount?: number;
            /**
             * @description In how many parts the text travels. Each part may lower the credit balance by 1.
             * @example 1
             */
            smsParts?: number;
        };
        /** @description Where delivery reports are to be sent one day. It is accepted and not called yet. */
        Webhook: {
            /**
             * @description Base of your callback address.
             * @example https://hooks.muscatpay.example/telecom
             */
            notificationUrl: string;
            /** @description The token your callback endpoint expects, printable ASCII; an empty one counts as none. We keep it encrypted and never return it. */
            notificationAuthToken?: string;
        };
        /** @description The body of every answer that is not a success. */
        ErrorInfo: {
            /**
             * @description What went wrong, for your program to act on.
             * @enum {string}
             */
            code: "INVALID_ARGUMENT" | "UNAUTHORIZED" | "PERMISSION_DENIED" | "ALREADY_EXISTS" | "SERVER_ERROR" | "SERVICE_UNAVAILABLE" | "REQUEST_TIMEOUT_EXCEEDED";
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
        /** @description INVALID_ARGUMENT: the body does not fit the schema, a value is not possible (a recipient with other characters than digits, an expiryTime in the past), the clientCorrelatorId was used before (then the message names the first one), or x-correlator is malformed. */
        InvalidArgument: {
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
        /** @description PERMISSION_DENIED: your role may not do this. */
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
        /** @description ALREADY_EXISTS: declared for every create; a message always has a clientCorrelatorId, and a repeated one is answered with 400, so it is not answered yet. */
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
    sendSms: {
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
        /** @description The message to send. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSendSingleSms"];
            };
        };
        responses: {
            /** @description The message is accepted and will be sent */
            201: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedSendSingleSms"];
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
}
