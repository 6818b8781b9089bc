/** Generated from schema/ by `npm run codegen`; do not edit. */
export interface paths {
    "/partner/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow your events
         * @description Events after a cursor, the oldest first: outcomes of your transactions, statements that are ready,
         *     endpoints whose health has changed. With `wait` the answer comes as soon as there is one, at the
         *     latest after so many seconds. Pass `cursor` of the answer as `after` of the next call, from any of
         *     our processes: none is lost and none comes twice. The cursors are those of the graph's
         *     subscriptions. Events are kept for 400 days unless the operator says otherwise; a cursor whose
         *     successors are gone is 400.
         */
        get: operations["followEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your endpoints
         * @description Registered endpoints with their health, in the order of their registration.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Register an endpoint
         * @description Its address gets the events of these kinds, where a transaction names no webhook of its own. A kind
         *     has one endpoint. The secret that signs what is sent is in this answer alone.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/v1/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an endpoint
         * @description One endpoint with its health.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Remove an endpoint
         * @description What waits for it is given up, and can be read as deliveries with status `DEAD`.
         */
        delete: operations["removeWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume an endpoint
         * @description Members that are absent stay. What waits for it goes to its new address. While an endpoint is
         *     `PAUSED` nothing is sent to its host and nothing is lost: attempts go on when `paused` is false
         *     again.
         */
        patch: operations["changeWebhookEndpoint"];
        trace?: never;
    };
    "/partner/v1/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of your webhooks
         * @description Each with its attempts: when, with which status, how long, and why it failed.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/v1/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description The same event, with the same `eventid`, at once. One that had ended begins its attempts anew.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/v1/test-event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sent now and signed as any event would be, to an address or to a registered endpoint; the answer
         *     says what became of it. No transaction is posted.
         */
        post: operations["sendTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/v1/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a signing secret
         * @description A new secret, in this answer alone: your own, which signs what goes to addresses that transactions
         *     name, or that of an endpoint. The one before signs too for `overlapHours`.
         */
        post: operations["rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your requests
         * @description Requests of yours that we got, those that were refused too, with code, reason and field.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/v1/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your transactions of every kind
         * @description All kinds in one list, the newest first unless asked otherwise.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/v1/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a transaction of any kind
         * @description With the reason of its status, such as why a payment was denied.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/v1/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your daily statements
         * @description A statement is made when its day in the operator's time zone is over; a day without transactions and
         *     corrections has none.
         */
        get: operations["listStatements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/v1/statements/{date}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the statement of a day
         * @description Numbers, counts and sums by kind and outcome for each currency, and the transactions of earlier days
         *     whose outcome has changed since, each with the day whose statement it corrects. As CSV
         *     (`format=csv`, or `Accept: text/csv`) it is the list of its transactions, as they were then: the
         *     SHA-256 of these bytes is `sha256`. Numbers of a kind are dense, so that the first of a day follows
         *     the last of the day before.
         */
        get: operations["getStatement"];
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
        /**
         * @description Kind of event; STATEMENT for statements that are ready, ENDPOINT for changes of the health of your endpoints.
         * @enum {string}
         */
        EndpointKind: "PAYMENT" | "RECHARGE" | "REWARD" | "REDEMPTION" | "STATEMENT" | "ENDPOINT";
        /**
         * @description The contract's notification, or CloudEvents 1.0 in structured mode with that as its data.
         * @enum {string}
         */
        EndpointFormat: "OWN" | "CLOUDEVENTS";
        /**
         * @description FAILING after three failed attempts in a row, until the next success; PAUSED on request, and then nothing is sent. It is that of the host, whichever of your addresses there was called.
         * @enum {string}
         */
        EndpointHealth: "HEALTHY" | "FAILING" | "PAUSED";
        /** @description An event, as a webhook brings it, with its cursor. */
        Event: {
            /** @description Its place in the log. */
            cursor: string;
            /** @description Kind of the transaction, STATEMENT or ENDPOINT. */
            kind: string;
            /**
             * Format: uuid
             * @description Its id, the same in the webhook.
             */
            eventid: string;
            /** @description PAYMENT_COMPLETED, PAYMENT_FAILED, STATEMENT_READY or ENDPOINT_HEALTH_CHANGED. */
            eventType: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            eventTime: string;
            /** @description Id of the transaction under its own name, status, description, and what the kind has besides. */
            eventDetail: {
                [key: string]: unknown;
            };
        };
        /** @description Events after a cursor. */
        EventPage: {
            /** @description In their order. */
            events: components["schemas"]["Event"][];
            /** @description Pass it as `after` to go on. */
            cursor: string;
            /** @description Whether there are more already. */
            more: boolean;
        };
        /** @description A registered endpoint. */
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @description Its id.
             */
            id: string;
            /** @description Its address. */
            notificationUrl: string;
            /** @description Kinds of event that it gets. */
            kinds: components["schemas"]["EndpointKind"][];
            format: components["schemas"]["EndpointFormat"];
            health: components["schemas"]["EndpointHealth"];
            /**
             * Format: date-time
             * @description Since when it has that health.
             */
            healthSince: string;
            /**
             * Format: date-time
             * @description When it was registered.
             */
            createdAt: string;
        };
        /** @description A registered endpoint with its secret. */
        CreatedWebhookEndpoint: {
            /**
             * Format: uuid
             * @description Its id.
             */
            id: string;
            /** @description Its address. */
            notificationUrl: string;
            /** @description Kinds of event that it gets. */
            kinds: components["schemas"]["EndpointKind"][];
            format: components["schemas"]["EndpointFormat"];
            health: components["schemas"]["EndpointHealth"];
            /**
             * Format: date-time
             * @description Since when it has that health.
             */
            healthSince: string;
            /**
             * Format: date-time
             * @description When it was registered.
             */
            createdAt: string;
            /** @description Signs what is sent, after the Standard Webhooks specification; shown this once. */
            secret: string;
        };
        /** @description Endpoints. */
        WebhookEndpointList: {
            /** @description In the order of their registration. */
            endpoints: components["schemas"]["WebhookEndpoint"][];
        };
        /** @description An endpoint to register. */
        NewWebhookEndpoint: {
            /** @description Address. In the own format `/eventNotifications` is added, as to a webhook of a transaction; CloudEvents go to it as it is. */
            notificationUrl: string;
            /** @description Kinds of event that it gets. */
            kinds: components["schemas"]["EndpointKind"][];
            format?: components["schemas"]["EndpointFormat"];
            /** @description `whsec_` and the base64 of 24 to 64 bytes; we make one unless you give it. */
            secret?: string;
        };
        /** @description Changes of an endpoint. */
        WebhookEndpointChange: {
            /** @description Address. In the own format `/eventNotifications` is added, as to a webhook of a transaction; CloudEvents go to it as it is. */
            notificationUrl?: string;
            /** @description Kinds of event that it gets. */
            kinds?: components["schemas"]["EndpointKind"][];
            format?: components["schemas"]["EndpointFormat"];
            /** @description `whsec_` and the base64 of 24 to 64 bytes; we make one unless you give it. */
            secret?: string;
            /** @description Whether nothing is to be sent to its host. */
            paused?: boolean;
        };
        /** @description An attempt to send. */
        Attempt: {
            /**
             * Format: date-time
             * @description When it began.
             */
            at: string;
            /** @description HTTP status; null where there was no response. */
            status: number | null;
            /** @description How long it took, in milliseconds. */
            durationMs: number;
            /** @description Why it failed; null where it did not. */
            error: string | null;
        };
        /** @description An event on its way to an address. */
        Delivery: {
            /**
             * Format: uuid
             * @description Its id.
             */
            id: string;
            /** @description Its place in the list. */
            cursor: string;
            /**
             * Format: uuid
             * @description The event that is sent.
             */
            eventid: string;
            /** @description Kind of the event. */
            kind: string;
            /**
             * Format: uuid
             * @description What the event is about.
             */
            transactionId: string;
            /** @description The address; null for analysts. */
            notificationUrl: string | null;
            /**
             * @description DEAD after the last attempt.
             * @enum {string}
             */
            status: "PENDING" | "DELIVERED" | "DEAD";
            /** @description Attempts since it was last begun. */
            attempts: number;
            /** @description HTTP status of the last attempt. */
            lastStatus: number | null;
            /** @description Why it failed. */
            lastError: string | null;
            /**
             * Format: date-time
             * @description When it is tried again.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it arrived.
             */
            deliveredAt: string | null;
            /** @description The newest attempts, the oldest of them first. */
            attemptLog: components["schemas"]["Attempt"][];
        };
        /** @description A page of deliveries. */
        DeliveryPage: {
            /** @description In the order that was asked for. */
            deliveries: components["schemas"]["Delivery"][];
            /** @description Pass it as `after` for the next page; null on the last. */
            next: string | null;
        };
        /** @description A test event; either an address or an endpoint. */
        TestEvent: {
            /** @description Address. In the own format `/eventNotifications` is added, as to a webhook of a transaction; CloudEvents go to it as it is. */
            notificationUrl?: string;
            /**
             * Format: uuid
             * @description A registered endpoint, whose address, form and secret are used.
             */
            endpointId?: string;
            /**
             * @description Kind of event to send.
             * @enum {string}
             */
            kind: "PAYMENT" | "RECHARGE" | "REWARD" | "REDEMPTION";
            /** @description Sent as bearer token. */
            notificationAuthToken?: string;
        };
        /** @description Which secret is replaced. */
        SecretRotation: {
            /** @description For how long the one before also signs; 24 hours unless given. */
            overlapHours?: number;
            /**
             * Format: uuid
             * @description That of a registered endpoint; your own unless given.
             */
            endpointId?: string;
        };
        /** @description A new secret, shown this once. */
        RotatedSecret: {
            /** @description The secret. */
            secret: string;
            /**
             * Format: date-time
             * @description Until when the one before also signs; null where it ends now.
             */
            previousEndsAt: string | null;
        };
        /** @description A request of yours. */
        Request: {
            /**
             * Format: uuid
             * @description Its id in our log.
             */
            id: string;
            /**
             * Format: date-time
             * @description When it came.
             */
            at: string;
            /** @description REST, GRAPHQL, EXPORT or WEBSOCKET. */
            via: string;
            /** @description The operation. */
            operation: string | null;
            /** @description HTTP status of the answer. */
            status: number;
            /** @description Code of the refusal. */
            code: string | null;
            /** @description Reason of the refusal. */
            reason: string | null;
            /** @description Field that it was refused for. */
            field: string | null;
            /** @description How long it took, in milliseconds. */
            durationMs: number;
            /**
             * Format: uuid
             * @description The transaction that it posted.
             */
            transactionId: string | null;
            /** @description Its x-correlator. */
            correlator: string;
            /** @description Requests that the line stands for. */
            weight: number;
        };
        /** @description A page of requests. */
        RequestPage: {
            /** @description The newest first. */
            requests: components["schemas"]["Request"][];
            /** @description Pass it as `after` for the next page; null on the last. */
            next: string | null;
        };
        /** @description A transaction of any kind. */
        Transaction: {
            /**
             * Format: uuid
             * @description The contract's own id.
             */
            id: string;
            /** @description Kind. */
            kind: string;
            /** @description The contract's status. */
            transactionOperationStatus: string;
            /**
             * @description What that means.
             * @enum {string}
             */
            outcome: "PENDING" | "COMPLETED" | "FAILED" | "CANCELLED" | "REVERSED";
            /** @description Why it ended so. */
            reason: string | null;
            /**
             * Format: date-time
             * @description When it was posted.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            completedAt: string | null;
            /** @description Amount. */
            amount: number | null;
            /** @description Its currency. */
            currency: string | null;
            /** @description Points. */
            points: number | null;
            /** @description The account. */
            customerAccountNumber: string | null;
            /** @description The number. */
            mobileNumber: string | null;
            /** @description Your own id. */
            clientCorrelatorId: string | null;
            /** @description Your reference. */
            referenceCode: string | null;
            /** @description x-correlator of the request that posted it. */
            correlator: string | null;
        };
        /** @description A transaction in a list. */
        TransactionEntry: {
            /**
             * Format: uuid
             * @description The contract's own id.
             */
            id: string;
            /** @description Kind. */
            kind: string;
            /** @description The contract's status. */
            transactionOperationStatus: string;
            /**
             * @description What that means.
             * @enum {string}
             */
            outcome: "PENDING" | "COMPLETED" | "FAILED" | "CANCELLED" | "REVERSED";
            /** @description Why it ended so. */
            reason: string | null;
            /**
             * Format: date-time
             * @description When it was posted.
             */
            createdAt: string;
            /** @description Amount. */
            amount: number | null;
            /** @description Its currency. */
            currency: string | null;
            /** @description Points. */
            points: number | null;
            /** @description The account. */
            customerAccountNumber: string | null;
            /** @description The number. */
            mobileNumber: string | null;
            /** @description Your own id. */
            clientCorrelatorId: string | null;
            /** @description Your reference. */
            referenceCode: string | null;
            /** @description x-correlator of the request that posted it. */
            correlator: string | null;
            /** @description One line. */
            description: string;
        };
        /** @description A page of transactions. */
        TransactionPage: {
            /** @description In the order that was asked for. */
            transactions: components["schemas"]["TransactionEntry"][];
            /** @description Pass it as `after` for the next page; null on the last. */
            next: string | null;
        };
        /** @description First and last number of a kind on the day. Your transactions of a kind are numbered without gaps. */
        StatementNumbers: {
            /** @description Kind. */
            kind: string;
            /** @description First number of the day. */
            first: number;
            /** @description Last number of the day. */
            last: number;
            /** @description How many; `last` - `first` + 1. */
            count: number;
        };
        /** @description Count and sums of a kind with an outcome. */
        StatementSum: {
            /** @description Kind. */
            kind: string;
            /** @description Outcome when the statement was made. */
            outcome: string;
            /** @description How many. */
            count: number;
            /** @description Sum of the amounts. */
            amount: number | null;
            /** @description Sum of the points. */
            points: number | null;
        };
        /** @description The part of a statement in one currency. */
        StatementCurrency: {
            /** @description The currency; null for points and messages. */
            currency: string | null;
            /** @description By kind and outcome. */
            sums: components["schemas"]["StatementSum"][];
        };
        /** @description A transaction of an earlier day whose outcome has changed since its statement. */
        Correction: {
            /**
             * Format: uuid
             * @description The transaction.
             */
            id: string;
            /** @description Its kind. */
            kind: string;
            /** @description Its number. */
            number: number;
            /**
             * Format: date
             * @description Day of the statement that this corrects.
             */
            corrects: string;
            /** @description Its outcome now. */
            outcome: string;
            /** @description Its amount. */
            amount: number | null;
            /** @description Its currency. */
            currency: string | null;
            /** @description Its points. */
            points: number | null;
            /** @description Why. */
            reason: string;
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
        };
        /** @description Statement of a day. */
        Statement: {
            /**
             * Format: date
             * @description The day.
             */
            date: string;
            /**
             * Format: uuid
             * @description Id of the statement, as in its event.
             */
            id: string;
            /** @description The partner. */
            partner: string;
            /** @description Time zone of the day. */
            timezone: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            madeAt: string;
            /** @description Transactions of the day. */
            entries: number;
            /** @description SHA-256 of the CSV, in hexadecimal digits. */
            sha256: string;
            /** @description By kind. */
            numbers: components["schemas"]["StatementNumbers"][];
            /** @description Counts and sums. */
            currencies: components["schemas"]["StatementCurrency"][];
            /** @description Of earlier days, taken back since their statement. */
            reversals: components["schemas"]["Correction"][];
            /** @description Of earlier days, ended since their statement. */
            lateResults: components["schemas"]["Correction"][];
        };
        /** @description A page of statements. */
        StatementPage: {
            /** @description In the order that was asked for. */
            statements: components["schemas"]["Statement"][];
            /** @description Pass it as `after` for the next page; null on the last. */
            next: string | null;
        };
        /** @description The body of every answer that is not a success. */
        ErrorInfo: {
            /**
             * @description What went wrong, for your program to act on.
             * @enum {string}
             */
            code: "INVALID_ARGUMENT" | "UNAUTHORIZED" | "PERMISSION_DENIED" | "CARRIER_BILLING.INVALID_TOKEN_CONTEXT" | "NOT_FOUND" | "ALREADY_EXISTS" | "SERVER_ERROR" | "SERVICE_UNAVAILABLE" | "REQUEST_TIMEOUT_EXCEEDED";
            /**
             * @description The HTTP status of the answer, as text.
             * @example 400
             */
            status: string;
            /** @description What went wrong, for a person to read. When one field is to blame, the text starts with its path. */
            message: string;
        };
    };
    responses: {
        /** @description What If-None-Match names is still true. */
        NotModified: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description INVALID_ARGUMENT: a parameter or a member of the body is not one that the operation takes, and the message names it; or x-correlator is malformed. */
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
        /** @description PERMISSION_DENIED: your role may not do this, or your token is bound to a phone number. CARRIER_BILLING.INVALID_TOKEN_CONTEXT: the phone number is not the one your token is bound to. */
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
        /** @description NOT_FOUND: there is no such thing, or it is not yours. */
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
        /** @description ALREADY_EXISTS: another endpoint of yours takes one of the kinds already. */
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
        /** @description SERVER_ERROR: a fault of ours; quote x-correlator to support. */
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
        /** @description SERVICE_UNAVAILABLE: too busy, too many of your requests, or the database is away; try again after Retry-After. */
        ServiceUnavailable: {
            headers: {
                "x-correlator": components["headers"]["Correlator"];
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorInfo"];
            };
        };
        /** @description REQUEST_TIMEOUT_EXCEEDED: it took too long, and nothing was written. */
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
        /**
         * @description ETags of answers that you have, comma-separated (RFC 9110, section 13.1.2). Where one of them is still true, the answer is 304 without a body.
         * @example "Lve95gjOVATpfV8EL5X4nA"
         */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Names this exchange in our logs; your own x-correlator if you sent one, else a new UUID.
         * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
         */
        Correlator: string;
        /**
         * @description Path of the new endpoint.
         * @example /partner/v1/webhook-endpoints/019d00e3-fe96-736f-8580-28d6099950d8
         */
        Created: string;
        /**
         * @description Names the bytes of this answer, to be sent as If-None-Match.
         * @example "Lve95gjOVATpfV8EL5X4nA"
         */
        ETag: string;
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
    followEvents: {
        parameters: {
            query?: {
                /**
                 * @description Cursor after which to begin; the oldest event that is kept unless given, and `now` for those to come.
                 * @example e1:1250
                 */
                after?: string;
                /**
                 * @description Kinds of event, separated by commas; all unless given.
                 * @example PAYMENT,STATEMENT
                 */
                kind?: string;
                /**
                 * @description Seconds to wait for an event where there is none; 0 unless given.
                 * @example 30
                 */
                wait?: number;
                /** @description Most items of the answer. */
                limit?: number;
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
            /** @description Events in their order. */
            200: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this exchange, 1 to 256 letters, digits and characters of - _ : ; . / < > { }. It comes back with the answer and stands in our logs. Without it, or with an empty one, we make one up; a longer one, or one with any other character, is refused with 400.
                 * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
                 */
                "x-correlator"?: components["parameters"]["Correlator"];
                /**
                 * @description ETags of answers that you have, comma-separated (RFC 9110, section 13.1.2). Where one of them is still true, the answer is 304 without a body.
                 * @example "Lve95gjOVATpfV8EL5X4nA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your endpoints. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    createWebhookEndpoint: {
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
        /** @description The endpoint. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The endpoint, with its secret. */
            201: {
                headers: {
                    Location: components["headers"]["Created"];
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpoint"];
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
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this exchange, 1 to 256 letters, digits and characters of - _ : ; . / < > { }. It comes back with the answer and stands in our logs. Without it, or with an empty one, we make one up; a longer one, or one with any other character, is refused with 400.
                 * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
                 */
                "x-correlator"?: components["parameters"]["Correlator"];
                /**
                 * @description ETags of answers that you have, comma-separated (RFC 9110, section 13.1.2). Where one of them is still true, the answer is 304 without a body.
                 * @example "Lve95gjOVATpfV8EL5X4nA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Its id.
                 * @example 019d00e3-fe96-736f-8580-28d6099950d8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    removeWebhookEndpoint: {
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
                 * @description Its id.
                 * @example 019d00e3-fe96-736f-8580-28d6099950d8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is removed. */
            204: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    changeWebhookEndpoint: {
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
                 * @description Its id.
                 * @example 019d00e3-fe96-736f-8580-28d6099950d8
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description What to change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointChange"];
            };
        };
        responses: {
            /** @description The endpoint as it is now. */
            200: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadyExists"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Only those. */
                status?: "PENDING" | "DELIVERED" | "DEAD";
                /** @description Only those of this kind of event. */
                kind?: string;
                /** @description Only those of this transaction. */
                transactionId?: string;
                /**
                 * @description Earliest time: a date-time, or a day in the operator's time zone.
                 * @example 2026-11-01
                 */
                from?: string;
                /**
                 * @description Latest time, likewise; a day is its end.
                 * @example 2026-11-30
                 */
                to?: string;
                /** @description `desc`, the newest first, or `asc`. */
                order?: "asc" | "desc";
                /** @description Most items of the answer. */
                limit?: number;
                /** @description The `next` of the answer before this one; absent or empty for the first page. */
                after?: string;
            };
            header?: {
                /**
                 * @description Your own name for this exchange, 1 to 256 letters, digits and characters of - _ : ; . / < > { }. It comes back with the answer and stands in our logs. Without it, or with an empty one, we make one up; a longer one, or one with any other character, is refused with 400.
                 * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
                 */
                "x-correlator"?: components["parameters"]["Correlator"];
                /**
                 * @description ETags of answers that you have, comma-separated (RFC 9110, section 13.1.2). Where one of them is still true, the answer is 304 without a body.
                 * @example "Lve95gjOVATpfV8EL5X4nA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    redeliver: {
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
                 * @description Its id.
                 * @example 019d00e3-fe96-736f-8580-28d6099950d8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is due now. */
            202: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    sendTestEvent: {
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
        /** @description Where it goes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestEvent"];
            };
        };
        responses: {
            /** @description What became of it. */
            200: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attempt"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    rotateSecret: {
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
        /** @description Which one, and for how long the one before also signs. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedSecret"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description Only refused ones, or only others. */
                refused?: boolean;
                /** @description Only those with this HTTP status. */
                status?: number;
                /** @description Only those with this code. */
                code?: string;
                /** @description Only that with this x-correlator. */
                correlator?: string;
                /**
                 * @description Earliest time: a date-time, or a day in the operator's time zone.
                 * @example 2026-11-01
                 */
                from?: string;
                /**
                 * @description Latest time, likewise; a day is its end.
                 * @example 2026-11-30
                 */
                to?: string;
                /** @description Most items of the answer. */
                limit?: number;
                /** @description The `next` of the answer before this one; absent or empty for the first page. */
                after?: string;
            };
            header?: {
                /**
                 * @description Your own name for this exchange, 1 to 256 letters, digits and characters of - _ : ; . / < > { }. It comes back with the answer and stands in our logs. Without it, or with an empty one, we make one up; a longer one, or one with any other character, is refused with 400.
                 * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
                 */
                "x-correlator"?: components["parameters"]["Correlator"];
                /**
                 * @description ETags of answers that you have, comma-separated (RFC 9110, section 13.1.2). Where one of them is still true, the answer is 304 without a body.
                 * @example "Lve95gjOVATpfV8EL5X4nA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of requests, the newest first. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /**
                 * @description Kinds, separated by commas.
                 * @example PAYMENT,RECHARGE
                 */
                kind?: string;
                /**
                 * @description Outcomes, separated by commas.
                 * @example FAILED
                 */
                outcome?: string;
                /**
                 * @description Earliest time: a date-time, or a day in the operator's time zone.
                 * @example 2026-11-01
                 */
                from?: string;
                /**
                 * @description Latest time, likewise; a day is its end.
                 * @example 2026-11-30
                 */
                to?: string;
                /** @description `desc`, the newest first, or `asc`. */
                order?: "asc" | "desc";
                /** @description Most items of the answer. */
                limit?: number;
                /** @description The `next` of the answer before this one; absent or empty for the first page. */
                after?: string;
            };
            header?: {
                /**
                 * @description Your own name for this exchange, 1 to 256 letters, digits and characters of - _ : ; . / < > { }. It comes back with the answer and stands in our logs. Without it, or with an empty one, we make one up; a longer one, or one with any other character, is refused with 400.
                 * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
                 */
                "x-correlator"?: components["parameters"]["Correlator"];
                /**
                 * @description ETags of answers that you have, comma-separated (RFC 9110, section 13.1.2). Where one of them is still true, the answer is 304 without a body.
                 * @example "Lve95gjOVATpfV8EL5X4nA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transactions. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this exchange, 1 to 256 letters, digits and characters of - _ : ; . / < > { }. It comes back with the answer and stands in our logs. Without it, or with an empty one, we make one up; a longer one, or one with any other character, is refused with 400.
                 * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
                 */
                "x-correlator"?: components["parameters"]["Correlator"];
                /**
                 * @description ETags of answers that you have, comma-separated (RFC 9110, section 13.1.2). Where one of them is still true, the answer is 304 without a body.
                 * @example "Lve95gjOVATpfV8EL5X4nA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Its id.
                 * @example 019d00e3-fe96-736f-8580-28d6099950d8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    listStatements: {
        parameters: {
            query?: {
                /** @description Of this partner; portal and analyst alone. */
                partner?: string;
                /** @description `desc`, the newest first, or `asc`. */
                order?: "asc" | "desc";
                /** @description Most items of the answer. */
                limit?: number;
                /** @description The `next` of the answer before this one; absent or empty for the first page. */
                after?: string;
            };
            header?: {
                /**
                 * @description Your own name for this exchange, 1 to 256 letters, digits and characters of - _ : ; . / < > { }. It comes back with the answer and stands in our logs. Without it, or with an empty one, we make one up; a longer one, or one with any other character, is refused with 400.
                 * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
                 */
                "x-correlator"?: components["parameters"]["Correlator"];
                /**
                 * @description ETags of answers that you have, comma-separated (RFC 9110, section 13.1.2). Where one of them is still true, the answer is 304 without a body.
                 * @example "Lve95gjOVATpfV8EL5X4nA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of statements. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /** @description `json` or `csv`. */
                format?: "json" | "csv";
                /** @description Of this partner; portal and analyst must name it. */
                partner?: string;
                /** @description Only the sums of this currency. */
                currency?: string;
            };
            header?: {
                /**
                 * @description Your own name for this exchange, 1 to 256 letters, digits and characters of - _ : ; . / < > { }. It comes back with the answer and stands in our logs. Without it, or with an empty one, we make one up; a longer one, or one with any other character, is refused with 400.
                 * @example 5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34
                 */
                "x-correlator"?: components["parameters"]["Correlator"];
                /**
                 * @description ETags of answers that you have, comma-separated (RFC 9110, section 13.1.2). Where one of them is still true, the answer is 304 without a body.
                 * @example "Lve95gjOVATpfV8EL5X4nA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The day.
                 * @example 2026-11-24
                 */
                date: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "x-correlator": components["headers"]["Correlator"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                    "text/csv": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout"];
        };
    };
}
