#include "src/sms/address.hpp"

#include <doctest/doctest.h>

using namespace smsrack;

TEST_CASE("normalised_number: one form for every way of writing a number") {
    const NumberPlan france{.country = "+33", .trunk = "0"};
    const NumberPlan italy{.country = "+39", .trunk = ""};
    const NumberPlan none{};
    struct Row {
        const char* input;
        const NumberPlan& plan;
        const char* expected;  // nullptr: refused
    };
    for (const Row& row : {
             Row{"+33612345678", none, "+33612345678"},
             Row{"+33 6 12-34.56/78", none, "+33612345678"},
             Row{"(+33) 612345678", france, "+33612345678"},
             Row{"0033612345678", france, "+33612345678"},
             Row{"0612345678", france, "+33612345678"},
             Row{"612345678", france, "+33612345678"},
             Row{"+33 (0)6 12 34 56 78", france, "+33612345678"},
             Row{"0033 (0)6 12 34 56 78", france, "+33612345678"},
             Row{"+33 (0)06 12 34 56 78", france, nullptr},
             Row{"+39 06 1234 5678", france, "+390612345678"},
             Row{"+39 06 1234 5678", italy, "+390612345678"},
             Row{"36180", france, "36180"},
             Row{"36180", none, "36180"},
             Row{"123", none, "123"},
             Row{"12", none, nullptr},
             Row{"0612345678", none, nullptr},
             Row{"0033612345678", none, nullptr},
             Row{"", france, nullptr},
             Row{"+", france, nullptr},
             Row{"+0612345678", france, nullptr},
             Row{"+123456", france, nullptr},
             Row{"+1234567890123456", france, nullptr},
             Row{"06123x5678", france, nullptr},
             Row{"6+12345678", france, nullptr},
             Row{"   ", france, nullptr},
         }) {
        CAPTURE(row.input);
        const auto number = normalised_number(row.input, row.plan);
        REQUIRE(number.has_value() == (row.expected != nullptr));
        if (number) {
            CHECK(*number == row.expected);
        } else {
            CHECK(number.error().code == Errc::bad_number);
        }
    }
}

TEST_CASE("same_subscriber: national and international forms are one, other numbers are not") {
    CHECK(same_subscriber("+33612345678", "0612345678"));
    CHECK(same_subscriber("33612345678", "+33612345678"));
    CHECK(same_subscriber("Vodafone", "Vodafone"));
    CHECK_FALSE(same_subscriber("Vodafone", "Telekom"));
    CHECK_FALSE(same_subscriber("+33612345678", "+33612345679"));
    CHECK_FALSE(same_subscriber("36180", "180"));
    CHECK(same_subscriber("36180", "36180"));
    CHECK_FALSE(same_subscriber("", ""));
}
