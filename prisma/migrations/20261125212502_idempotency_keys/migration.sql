-- expand
-- locks: nothing that is there
-- CreateTable
CREATE TABLE "loyalty"."idempotency_key" (
    "client_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "transaction_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("client_id","key")
);

-- CreateTable
CREATE TABLE "messaging"."idempotency_key" (
    "client_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "transaction_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("client_id","key")
);

-- CreateTable
CREATE TABLE "postpaid"."idempotency_key" (
    "client_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "transaction_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("client_id","key")
);

-- CreateTable
CREATE TABLE "prepaid"."idempotency_key" (
    "client_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "transaction_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("client_id","key")
);

-- CreateTable
CREATE TABLE "redemption"."idempotency_key" (
    "client_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "transaction_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("client_id","key")
);
