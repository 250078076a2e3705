#include "src/wire/session_budget.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

using namespace smsrack::wire;

using Share = SessionBudget::Share;

TEST_CASE("SessionBudget: one account gets half, however many connections it has") {
    SessionBudget budget(1000);
    Share first(budget, 7, false);
    CHECK(first.room() == 500);
    first.hold(300);
    Share second(budget, 7, false);
    CHECK(second.room() == 200);
    second.hold(200);
    CHECK(first.room() == 0);
    CHECK(Share(budget, 7, false).room() == 0);
    CHECK(budget.held() == 500);
}

TEST_CASE("SessionBudget: each further account finds room, however greedy the others are") {
    SessionBudget budget(1'000'000);
    std::vector<std::unique_ptr<Share>> greedy;
    for (std::uint32_t account = 1; account <= 10; ++account) {
        greedy.push_back(std::make_unique<Share>(budget, account, false));
        greedy.back()->hold(greedy.back()->room());
        CHECK(greedy.back()->room() == 0);
    }
    CHECK(Share(budget, 99, false).room() > 400);
    CHECK(budget.held() < 1'000'000);
}

TEST_CASE("SessionBudget: an administrator may use all that is free, and no more") {
    SessionBudget budget(1000);
    Share other(budget, 7, false);
    other.hold(500);
    Share root(budget, 0, true);
    CHECK(root.room() == 500);
    root.hold(700);  // an answer larger than was said
    CHECK(root.room() == 0);
    CHECK(other.room() == 0);
}

TEST_CASE("SessionBudget: what goes gives its room back, and says so once") {
    SessionBudget budget(1000);
    CHECK_FALSE(budget.take_released());
    {
        Share share(budget, 7, false);
        share.hold(400);
        CHECK_FALSE(budget.take_released());
        share.hold(100);
        CHECK(budget.take_released());
        CHECK_FALSE(budget.take_released());
    }
    CHECK(budget.take_released());
    CHECK(budget.held() == 0);
}

TEST_CASE("SessionBudget: what is left behind counts for its account, and may outlive the budget") {
    auto budget = std::make_unique<SessionBudget>(1000);
    std::unique_ptr<Share> left;
    {
        Share share(*budget, 7, false);
        left = share.another(300);
    }
    CHECK(budget->held() == 300);
    CHECK(Share(*budget, 7, false).room() == 200);
    budget.reset();
    left.reset();
}
