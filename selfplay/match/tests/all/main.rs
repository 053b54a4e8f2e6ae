//! The library from outside: error rates, the referee, the reports.

mod error_rates;
mod referee;
mod reports;
