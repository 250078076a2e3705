#include "src/model/mmc_run.hpp"

#include "src/model/fifo_queue.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace smsrack::model;

TEST_CASE("FifoQueue: a customer begins when he has come and the first server is free") {
    FifoQueue queue(2);
    struct Row {
        double at;
        double service;
        double waits;
    };
    for (const Row& row :
         {Row{0, 10, 0}, Row{1, 2, 0}, Row{2, 5, 1}, Row{2, 1, 6}, Row{9, 1, 0}, Row{20, 1, 0}}) {
        CAPTURE(row.at);
        CHECK(queue.arrive(row.at, row.service) == row.waits);
    }
}

TEST_CASE(
    "run_mmc: the formulas are within three standard errors, which shrink with the arrivals") {
    test::SeededRandom random(11);
    for (const double rho : {0.3, 0.6, 0.9}) {
        CAPTURE(rho);
        const MmcLoad load{.lambda = rho * 8 * 1.6, .mu = 1.6, .servers = 8};
        const auto model = mmc(load);
        REQUIRE(model);
        const MmcRun run = run_mmc(load, 200'000, random);
        CHECK(run.wq.agrees(model->wq));
        CHECK(run.ws.agrees(model->ws));
        CHECK(run.p_wait.agrees(model->p_wait));
        CHECK(run.ws.error < 0.05 * model->ws);
        CHECK_FALSE(run.ws.agrees(model->ws * 1.3));
        CHECK(run_mmc(load, 20'000, random).ws.error > run.ws.error);
    }
}
