"""Views: what pages and endpoints show, built in one place for both."""
